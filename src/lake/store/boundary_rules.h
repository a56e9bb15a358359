/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "signal.pb-c.h"

/*
 * What the fields of each kind of record are checked for by their names: found once, for all
 * records.
 */
#define RULES_TEXTS_MAX    32
#define RULES_INSTANTS_MAX 16
#define RULES_PAIRS        3

struct text_rule {
	const ProtobufCFieldDescriptor *field; /* of texts, or of labels */
	size_t most;                           /* bytes; 0: they are labels */
	bool is_id;
};

struct instant_rule {
	size_t offset;
	int64_t since_at; /* the earliest that is believed */
};

/* Two instants that are in order, in records that have both. */
struct pair_rule {
	bool is_there;
	size_t first, last; /* offsets */
	int64_t slack_ns;
};

struct record_rules {
	const ProtobufCMessageDescriptor *descriptor;
	struct text_rule texts[RULES_TEXTS_MAX];
	size_t texts_count;
	struct instant_rule instants[RULES_INSTANTS_MAX];
	size_t instants_count;
	struct pair_rule pairs[RULES_PAIRS];
};

/* Of a record of a batch, or a label of it. */
const struct record_rules *boundary_rules(const ProtobufCMessageDescriptor *descriptor);
