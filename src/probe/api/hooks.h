/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * The kernel hook that serves each figure. Most figures can be served in several ways; the first
 * one that this kernel has and allows is chosen (the table of load/hooks.c).
 */
struct bpf_object;

struct probe_hook {
	const char *figure; /* what is served, as the doctor prints it */
	char hook[96];      /* "tp_btf/sched_prepare_exec"; "": this kernel has none for it */
	char why[160];      /* why this hook was chosen, or what is missing without one */
};

/* Fills up to cap hooks and returns how many. It changes nothing: whether a hook may be attached is
 * tried with an empty program. */
size_t probe_hooks(struct probe_hook *hooks, size_t cap);

/* Chooses the programs of the object that are loaded. forced: NULL or "": the best hook of each
 * figure; "fentry", "kprobe", "tracepoint": a hook of that kind for each figure that has one;
 * "last": the last hook of each figure that works here. 0; -EINVAL: an unknown word in `forced`;
 * -ENOTSUP: a figure that cannot be served so, which err names. */
int hooks_choose(struct bpf_object *object, const char *forced, struct error *err);
