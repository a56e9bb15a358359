/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "tune/emit/emit.h"

/* What settings of engines have in common: the amounts of a step in their units, a text of names.
 */

/* 0: nothing is advised. */
struct emit_amounts {
	unsigned cpus;
	/* Of the first, second, third try. MB as engines read them (10^6 or 2^20 bytes): no less
	 * than what is needed. */
	unsigned long long memory_mb[SIZE_ATTEMPTS];
	unsigned long long minutes[SIZE_ATTEMPTS];
};

/* Rounded up: CPUs whole, memory to 100 MB, time to minutes. What there is not enough history for
 * is 0. */
struct emit_amounts emit_amounts_of(const struct step_size *size);
bool emit_amounts_any(const struct emit_amounts *amounts);

/* Whether a name has only letters, digits and '_', does not begin with a digit, and has at most 128
 * bytes; or several such names with a separator between (0: none). Names of steps come from what
 * ran, and may hold anything. */
bool emit_is_plain(const char *name, char separator);
/* A comment of one line, begun by `mark`: control characters become '?'. */
void emit_comment(struct buffer *out, const char *mark, const char *text);
/* Comments on where the sizes are from, and on the steps without any: those of which there is not
 * enough history, and those of which `is_name` is false. */
void emit_head(struct buffer *out, const char *mark, const struct emit_run *run,
	       bool (*is_name)(const char *name));
/* Comments on what a person should know of a step. */
void emit_notes(struct buffer *out, const char *mark, const struct step_size *size);
