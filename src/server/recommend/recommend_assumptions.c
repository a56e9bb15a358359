/* SPDX-License-Identifier: Apache-2.0 */
#include "server/recommend/recommend_assumptions.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define WORDS_SIZE 400

struct saying {
	note_add *add;
	void *context;
};

__attribute__((format(printf, 2, 3))) static void say(const struct saying *saying,
						      const char *format, ...)
{
	char words[WORDS_SIZE];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(words, sizeof(words), format, args);
	va_end(args);
	saying->add(saying->context, words);
}

static const char *types(size_t count)
{
	return count == 1 ? "type" : "types";
}

static void say_left_out(const struct saying *saying, const struct machine_offers *offers,
			 const struct recommendation *found)
{
	static const struct {
		enum placement_refusal refusal;
		const char *words;
	} REFUSED[] = {
		{ PLACEMENT_NO_MEMORY, "their memory is too small for what a task used" },
		{ PLACEMENT_NO_CPUS, "a task asks for more CPUs than they have" },
		{ PLACEMENT_UNSEEN, "how the work scales to so many CPUs was not seen" },
	};

	for (size_t i = 0; i < sizeof(REFUSED) / sizeof(REFUSED[0]); i++)
		if (found->refused[REFUSED[i].refusal])
			say(saying, "Left out: %zu %s, as %s.", found->refused[REFUSED[i].refusal],
			    types(found->refused[REFUSED[i].refusal]), REFUSED[i].words);
	if (offers->burstable)
		say(saying, "Left out: %zu burstable %s (the option burstable adds them).",
		    offers->burstable, types(offers->burstable));
	if (offers->bare_metal)
		say(saying, "Left out: %zu %s of bare metal (the option bare_metal adds them).",
		    offers->bare_metal, types(offers->bare_metal));
	if (offers->gpus)
		say(saying, "Left out: %zu %s, for their GPUs (the option types names them).",
		    offers->gpus, types(offers->gpus));
	if (offers->other_arch)
		say(saying,
		    "Left out: %zu %s of another architecture (the option arch adds them): whether "
		    "the programs run there, and how fast, is not known.",
		    offers->other_arch, types(offers->other_arch));
	if (found->cut)
		say(saying, "Left out: offers beyond 200,000; ask for fewer types or regions.");
}

static void say_lists(const struct saying *saying, const struct machine_offers *offers)
{
	const char *last = "";

	for (size_t i = 0; i < offers->machine_count; i++) {
		const char *provider = offers->machines[i].provider;
		struct cloud_list list;

		if (strcmp(provider, last) == 0 || cloud_list(provider, &list))
			continue;
		last = provider;
		if (strcmp(list.date, list.spot_date) == 0)
			say(saying, "Prices of %s are of %s.", provider, list.date);
		else
			say(saying, "Prices of %s are of %s, those of spot machines of %s.",
			    provider, list.date, list.spot_date);
	}
}

static bool offers_spot(const struct machine_offers *offers)
{
	for (size_t i = 0; i < offers->offer_count; i++)
		if (offers->offers[i].taken_back)
			return true;
	return false;
}

static void say_hosts(const struct saying *saying, const struct recommend_source *source)
{
	const struct place_fleet *hosts = &source->hosts;

	say(saying,
	    "Tasks are put on machines by the CPUs and memory that they asked for, or used where "
	    "that is more. A machine is paid for %.0f s before it takes tasks, and stopped when it "
	    "was empty for %.0f s.",
	    hosts->start_ns / 1e9, hosts->idle_ns / 1e9);
	say(saying,
	    "What tasks waited for is known by files alone; else they are taken to need the "
	    "task of their run that had ended last before they were submitted.");
	if (source->fleet.cut)
		say(saying, "Only the first %d tasks are looked at.", FLEET_TASKS_MAX);
}

static void say_work(const struct saying *saying, const struct recommend_source *source,
		     const struct recommend_request *request)
{
	if (request->pipeline && source->runs > 1)
		say(saying, "The run in the middle of the last %zu of the pipeline is replayed.",
		    source->runs);
	else if (source->runs)
		say(saying,
		    "The tasks of %zu run%s of the last %lld day%s, which began when they began; "
		    "wall time is that of a run on average.",
		    source->runs, source->runs == 1 ? "" : "s", (long long)request->days,
		    request->days == 1 ? "" : "s");
	if (source->on_one_host)
		say(saying, "The time in which a machine starts is not counted.");
	else
		say_hosts(saying, source);
}

void recommend_assumptions(const struct recommend_source *source,
			   const struct recommend_request *request,
			   const struct machine_offers *offers, const struct recommendation *found,
			   note_add *add, void *context)
{
	const struct saying saying = { add, context };

	if (*source->refused)
		return;
	say(&saying,
	    "A CPU is as fast as one of the measured machine, and other work leaves all of "
	    "them free; what is not known of that widens the interval.");
	say(&saying, "%.0f %% of the memory stays free.", 100 * request->headroom);
	say_work(&saying, source, request);
	if (offers_spot(offers))
		say(&saying,
		    "A spot machine is taken back once in such a part of all as the provider says of "
		    "a month, however long it is used; %s.",
		    source->restartable
			    ? "tasks that run then are done again, by an engine that goes on"
			    : "half of the run is then lost, as no engine does single tasks again");
	if (source->on_one_host)
		say(&saying,
		    "Storage of machines is taken to be on the provider's network storage, "
		    "at the rate that a machine always has; volumes may be slower.");
	else
		say(&saying, "Storage and network are taken to be as fast as they were.");
	say_lists(&saying, offers);
	say_left_out(&saying, offers, found);
}
