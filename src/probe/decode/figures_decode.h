/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "probe/abi/process.h"
#include "probe/api/figures.h"

/* Sets all figures of an image. cpu_ns is divided into user and kernel time as the ticks are, as
 * the kernel's cputime_adjust does; without ticks all of it is user_ns. page_shift: log2 of the
 * page size in bytes. */
void figures_decode(struct probe_figures *ret, const struct process_consumed *consumed,
		    unsigned page_shift);
/* Resident pages of all kinds. */
uint64_t figures_resident_pages(const struct process_consumed *consumed);
