/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

/* Gives up all capabilities but CAP_BPF and CAP_PERFMON (reading the kernel's records, new rules),
 * CAP_SYS_PTRACE (exe and cwd of a process with a lost record, the descriptors of one that hangs
 * and of the processes that may be at its other end) and CAP_DAC_READ_SEARCH (the token, rules and
 * cgroups of other users): see base/host/capabilities.h. */
int rights_drop(struct error *err);
