/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "lake/store/boundary.h"

/* Why a record is not believed. */
#define BOUNDARY_REASONS(X)                                                             \
	X(ID, "an id is missing, longer than 128 bytes, or not plain text")             \
	X(TEXT, "a text is longer than its bound, or no UTF-8")                         \
	X(LABELS, "it has more than 256 labels")                                        \
	X(PAST, "a time before 2020")                                                   \
	X(FUTURE, "a time more than a day ahead of the lake's clock")                   \
	X(ORDER, "it ends before it begins")                                            \
	X(LIFE, "an interval that reaches beyond the life of its execution")            \
	X(CPU, "more CPU time than its threads, or its host's CPUs, have in that time") \
	X(MEMORY, "more memory than its host has")                                      \
	X(PRICE, "a price below 0 or above 10,000 USD an hour")                         \
	X(CPUS, "fewer than 0 or more than 65,536 CPUs")

enum boundary_reason {
	BOUNDARY_BELIEVED,
#define REASON(name, words) BOUNDARY_##name,
	BOUNDARY_REASONS(REASON)
#undef REASON
		BOUNDARY_REASON_COUNT
};

#define BOUNDARY_SINCE_AT INT64_C(1577836800000000000) /* 2020-01-01 */
#define BOUNDARY_SLACK_NS INT64_C(3600000000000)       /* by how much a clock may be set back */

#define BOUNDARY_SHORT 4096u

/* From when to when an execution ran, ns since the epoch; ended_at 0: it runs, or was lost. */
struct boundary_lifetime {
	int64_t started_at, ended_at;
};

/* What is known around a record. */
struct boundary_context {
	const struct boundary_facts *facts;
	int64_t created_at; /* of the batch, or now where that is not believed */
	const struct boundary_lifetime *lifetime; /* of the execution of a sample; NULL: unknown */
};

/* Whether an instant is believed: 0 (unknown) is not. */
_Bool boundary_instant(const struct boundary_facts *facts, int64_t at);
/* The instant in a record's field of this name, or 0 where it has none. */
int64_t boundary_field(const ProtobufCMessage *record, const char *name);
/* How many bytes a text field of signal.proto may have, by its name; 0: it is not in the table of
 * bounds, and may have BOUNDARY_SHORT. */
size_t boundary_most(const char *field);
/* Texts and ids of a record, by the bounds of boundary_text.c. */
enum boundary_reason boundary_texts(const ProtobufCMessage *record);
/* Its times and figures. */
enum boundary_reason boundary_figures(const struct boundary_context *context,
				      const ProtobufCMessage *record);
