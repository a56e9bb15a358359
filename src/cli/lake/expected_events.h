/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdbool.h>

#include "base/buffer.h"

/* Events that are expected: no failure of the run depends on them (docs/findings.md). Lists count
 * them in one line. */

/* Whether an event of the lake is. */
bool event_is_expected(const json_t *event);
/* The others, as a new array. The caller's (json_decref). */
json_t *events_unexpected(const json_t *events);
/* Appends "128 expected failures are not shown, such as `grep` exit code 1: REMEDY shows them",
 * with the most frequent one; nothing where none is expected. */
void events_expected_note(struct buffer *out, const json_t *events, const char *remedy);
