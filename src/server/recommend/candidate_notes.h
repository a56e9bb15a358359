/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/buffer.h"
#include "tune/recommend/recommend.h"

/* What people should know of a candidate, and of an answer as a whole, as sentences. */

/* Calls add for each. */
typedef void note_add(void *context, const char *text);
void candidate_notes(const struct recommend_candidate *candidate,
		     const struct recommend_machine *machine, const struct recommend_offer *offer,
		     note_add *add, void *context);
/* As a JSON array of texts. */
void candidate_notes_json(const struct recommend_candidate *candidate,
			  const struct recommend_machine *machine,
			  const struct recommend_offer *offer, struct buffer *ret);
