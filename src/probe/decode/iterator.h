/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/abi/process.h"

struct bpf_link;

typedef int iterator_visit(const struct process_alive_record *record, void *context);

/* Runs an iterator program of the kernel side to its end and visits each record that it writes.
 * visit: returns 0, or -errno, which ends the run; NULL: the records are skipped. 0 or -errno. */
int iterator_run(const struct bpf_link *link, iterator_visit *visit, void *context);
