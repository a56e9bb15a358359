#pragma once
#include "base/error.h"

/*
 * Gives up what the agent does not need once it runs: all capabilities but CAP_BPF and CAP_PERFMON
 * (reading the kernel's records, new rules), CAP_SYS_PTRACE (exe and cwd of a process whose record
 * was lost) and CAP_DAC_READ_SEARCH (the token, rules and cgroups of other users), from all sets,
 * and the way back to any (no_new_privs, bounding set). For the whole process; not to be undone.
 * Where the process had fewer it keeps those. -errno with words.
 */
int capabilities_drop(struct error *err);
