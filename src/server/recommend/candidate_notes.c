/* SPDX-License-Identifier: Apache-2.0 */
#include "server/recommend/candidate_notes.h"

#include <stdio.h>

#include "base/json.h"
#include "base/text.h"

static const struct {
	unsigned bit;
	const char *words;
} PLACEMENTS[] = {
	{ PLACEMENT_MEMORY_WAITS, "Tasks wait for memory: the engine has to know what they need "
				  "(tracer tune --emit)." },
	{ PLACEMENT_MEMORY_UNKNOWN, "How much memory some tasks used is not known." },
	{ PLACEMENT_STORAGE_SLOWER,
	  "Its network storage moves fewer bytes a second than the tasks did: they wait longer." },
	{ PLACEMENT_NETWORK_SLOWER,
	  "Its network moves fewer bytes a second than the tasks did: they wait longer." },
	{ PLACEMENT_STORAGE_UNKNOWN, "How fast its storage is, is not known." },
	{ PLACEMENT_NETWORK_UNKNOWN, "How fast its network is, is not known." },
};

static void note_data(double bytes, note_add *add, void *context)
{
	char words[128], size[32];

	if (bytes < 0)
		add(context, "It was measured elsewhere: how much data would have to move is not "
			     "known.");
	if (!(bytes > 0))
		return;
	(void)snprintf(words, sizeof(words),
		       "It was measured elsewhere: %s of inputs would have to move.",
		       text_bytes((uint64_t)bytes, size, sizeof(size)));
	add(context, words);
}

static void note_offer(const struct recommend_candidate *candidate,
		       const struct recommend_offer *offer, note_add *add, void *context)
{
	if (!offer->exact)
		add(context, "Its price is estimated.");
	if (offer->taken_back && offer->interrupted < 0)
		add(context, "How often such machines are interrupted is not known: it counts as "
			     "the worst band that a provider publishes (> 20 %).");
	note_data(candidate->move_bytes, add, context);
}

void candidate_notes(const struct recommend_candidate *candidate,
		     const struct recommend_machine *machine, const struct recommend_offer *offer,
		     note_add *add, void *context)
{
	for (int i = 0; i < MACHINE_DOUBTS; i++)
		if (candidate->doubts & 1u << i)
			add(context, machine_doubt_words(i));
	if (machine->previous_generation)
		add(context, "Of a previous generation.");
	for (size_t i = 0; i < sizeof(PLACEMENTS) / sizeof(PLACEMENTS[0]); i++)
		if (candidate->placement.notes & PLACEMENTS[i].bit)
			add(context, PLACEMENTS[i].words);
	note_offer(candidate, offer, add, context);
}

static void add_json(void *context, const char *text)
{
	struct json *json = context;

	json_text(json, text);
}

void candidate_notes_json(const struct recommend_candidate *candidate,
			  const struct recommend_machine *machine,
			  const struct recommend_offer *offer, struct buffer *ret)
{
	struct json json;

	json_init(&json, ret, false);
	json_array_begin(&json);
	candidate_notes(candidate, machine, offer, add_json, &json);
	json_array_end(&json);
}
