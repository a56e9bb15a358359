/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/recommend/candidate_notes.h"
#include "server/recommend/recommend_source.h"

/* What an answer assumes, what it leaves out and what it does not know: calls add for each
 * sentence. */
void recommend_assumptions(const struct recommend_source *source,
			   const struct recommend_request *request,
			   const struct machine_offers *offers, const struct recommendation *found,
			   note_add *add, void *context);
