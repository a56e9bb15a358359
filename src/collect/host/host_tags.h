/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "cloud/machine/machine.h"
#include "signal.pb-c.h"

/* The tags that a cloud has of this host, as labels of its record; the values of those with a name
 * like a secret's, and what looks like one, are masked. */
struct host_tags {
	Signal__Label labels[CLOUD_TAGS_MAX];
	Signal__Label *list[CLOUD_TAGS_MAX]; /* of the message */
	size_t count;
};

/* Replaces what is there. Tags for which there is no memory are left out. */
void host_tags_take(struct host_tags *tags, const struct cloud_machine *machine);
void host_tags_clear(struct host_tags *tags);
