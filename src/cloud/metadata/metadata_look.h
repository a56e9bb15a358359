/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cloud/metadata/metadata.h"

/*
 * Asks once who this machine is, on a loop of its own, and waits for the answers: for `tracer
 * doctor`. At most some 12 s, 2 s where nothing answers.
 */
struct metadata_look {
	struct metadata *metadata; /* owned; its status and machine are the outcome */
	struct event_base *base;
};

/* As metadata_new. */
int metadata_look(struct metadata_look *ret, const struct metadata_options *options,
		  struct error *err);
void metadata_look_clear(struct metadata_look *look);
