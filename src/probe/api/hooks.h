/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * Which hook of the kernel serves which figure: of a figure's ways, in order of preference, the
 * first that this kernel has and allows.
 */
struct bpf_object;

struct probe_hook {
	const char *figure; /* what is served, in people's words */
	char hook[96];      /* "tp_btf/sched_prepare_exec"; "": nothing serves it here */
	char why[160];      /* why this one; why none, and what that means */
};

/* Fills up to cap of them, returns how many. Changes nothing; what may be attached is tried out. */
size_t probe_hooks(struct probe_hook *hooks, size_t cap);

/* Leaves those programs of the object to be loaded that serve here. forced: NULL or "": as above;
 * "fentry", "kprobe", "tracepoint": a way of that kind for each figure that has one; "last": each
 * figure's last resort here. -EINVAL: another word; -ENOTSUP with words: the figure that cannot be
 * served so. */
int hooks_choose(struct bpf_object *object, const char *forced, struct error *err);
