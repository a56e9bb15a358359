/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "probe/api/probe.h"

/*
 * `track: cgroup:PATTERN`: an exec in a cgroup with a path that fits the pattern begins tracking. A
 * pattern is that of fnmatch(3), where '*' and '?' are any bytes, '/' too: "/docker/?*" is every
 * container of docker's, with all below it.
 */
#define FOLLOW_PREFIX "cgroup:"
/* `track: only:PATTERN`: the same, and nothing else does: of several agents on one machine each
 * sees its own. */
#define FOLLOW_ONLY_PREFIX "only:"

/* The pattern of a value of `track`; NULL: it is none. */
const char *follow_pattern(const char *track);
/* Whether no name begins tracking. */
bool follow_is_only(const char *track);
/* Follows what is there already. Before probe_scan. pattern NULL: nothing. -errno with words: there
 * are more than the kernel's table holds. */
int follow_all(const char *pattern, struct probe *probe, struct error *err);
/* A cgroup was made. */
void follow_new(const char *pattern, struct probe *probe, const struct probe_cgroup *cgroup);
