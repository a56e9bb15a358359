/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fleets with known waste, made from a seed, and what sweep_find says of them, minute by minute.
 *
 *     sweep_driver SEED FLEETS RULES
 *
 * Each fleet has every story once (stories_*.c). A line for each story: its kind ("-": a control),
 * its name, 1 where a person had marked it, the patience (s), after how many seconds beyond it the
 * waste was found ("-": never), what else was found, each with the minute of the first time, how
 * many machines it is about; and with RULES = 1, of the main machine, after how many days each of
 * the clouds' rules holds ("-": never).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "rules.h"
#include "story.h"
#include "sweep/sweep.h"

#define SWEPT     (4 * HOUR)
#define NOT_DUE   MINUTE /* a finding may be so much earlier */
#define STORIES   256
#define WRONG     16
#define FIRST_DAY (INT64_C(1793491200) * SECOND) /* 2026-11-01 */

struct verdict {
	struct story story;
	int64_t found_at;
	struct wrong {
		const char *kind; /* static, of its finder */
		int64_t at;
	} wrong[WRONG];
	unsigned wrong_count;
	unsigned machines;
};

static struct verdict verdicts[STORIES];
static unsigned verdict_count;
static const char POLICY[] = "storage_usd_gb_month: 0.08\n"
			     "exempt:\n"
			     "  - user: robot\n"
			     "  - host: '*-spare'\n"
			     "    kind: '*_idle'\n";

static const struct story_plan *const PLANS[] = { STORIES_IDLE,    STORIES_LOW,   STORIES_GPU,
						  STORIES_SESSION, STORIES_QUEUE, STORIES_TASK,
						  STORIES_KEPT,    STORIES_CLOUD };

static void fail(const char *what)
{
	fprintf(stderr, "sweep_driver: %s\n", what);
	exit(2);
}

/* The story that a text is of; NULL: of none. */
static struct verdict *verdict_of(const char *text)
{
	for (; text && (text = strchr(text, 's')); text++) {
		char *end;

		if (strlen(text) < 7 || text[6] != '-')
			continue;
		unsigned long number = strtoul(text + 1, &end, 10);
		if (end == text + 6 && number < verdict_count)
			return &verdicts[number];
	}
	return NULL;
}

static struct verdict *verdict_of_waste(const struct waste *waste)
{
	const char *const texts[] = { waste->task_id, waste->run_id, waste->host_id, waste->id,
				      waste->name };

	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct verdict *verdict = verdict_of(texts[i]);

		if (verdict)
			return verdict;
	}
	fprintf(stderr, "%s %s\n", waste->kind, waste->id);
	fail("found what no story has");
	return NULL;
}

/* One of the words is the kind. */
static bool has_word(const char *words, const char *kind)
{
	const char *at = words ? strstr(words, kind) : NULL;

	return at && strchr(" ", at[strlen(kind)]);
}

static void judge(const struct waste *waste, int64_t now_at)
{
	struct verdict *verdict = verdict_of_waste(waste);
	const struct story *story = &verdict->story;
	const struct story_plan *plan = story->plan;
	int64_t early = story->early > NOT_DUE ? story->early : NOT_DUE;

	if (plan->kind && strcmp(waste->kind, plan->kind) == 0 && now_at >= story->due_at - early) {
		if (!verdict->found_at)
			verdict->found_at = now_at;
		return;
	}
	if (has_word(plan->also, waste->kind) &&
	    now_at >= (story->also_at ? story->also_at : story->onset_at))
		return;
	for (unsigned i = 0; i < verdict->wrong_count; i++)
		if (verdict->wrong[i].kind == waste->kind)
			return;
	if (verdict->wrong_count < WRONG)
		verdict->wrong[verdict->wrong_count++] = (struct wrong){ waste->kind, now_at };
}

static void sweep_site(struct site *site, int64_t offset)
{
	site_prepare(site);
	for (int64_t now_at = site->since + offset; now_at < site->until; now_at += MINUTE) {
		struct sweep_input input = site_at(site, now_at);
		struct wastes found = { 0 };

		if (sweep_find(&input, &found))
			fail("sweep_find failed");
		for (size_t i = 0; i < found.count; i++)
			judge(&found.items[i], now_at);
		wastes_clear(&found);
	}
}

static void print_rules(const struct story *story)
{
	int64_t found_at[RULES], since = story->onset_at ? story->onset_at : story->site->since;

	if (!story->machine)
		return;
	rules_judge(story->machine, since, found_at);
	for (int i = 0; i < RULES; i++) {
		if (found_at[i])
			printf("\t%.1f", (double)(found_at[i] - since) / DAY);
		else
			printf("\t-");
	}
}

static void print_verdict(const struct verdict *verdict, bool rules)
{
	int64_t from_at =
		verdict->story.due_at ? verdict->story.due_at : verdict->story.site->since;
	const struct story_plan *plan = verdict->story.plan;

	printf("%s\t%s\t%d\t%" PRId64 "\t", plan->kind ? plan->kind : "-", plan->name, plan->marked,
	       (verdict->story.due_at - verdict->story.onset_at) / SECOND);
	if (verdict->found_at)
		printf("%" PRId64 "\t", (verdict->found_at - verdict->story.due_at) / SECOND);
	else
		printf("-\t");
	for (unsigned i = 0; i < verdict->wrong_count; i++)
		printf("%s%s@%" PRId64, i ? " " : "", verdict->wrong[i].kind,
		       (verdict->wrong[i].at - from_at) / MINUTE);
	printf("\t%u", verdict->machines);
	if (rules)
		print_rules(&verdict->story);
	printf("\n");
}

static void make_story(const struct story_plan *plan, struct site *site, uint64_t seed)
{
	struct verdict *verdict = &verdicts[verdict_count];

	*verdict = (struct verdict){
		.story = { .plan = plan,
			   .number = verdict_count,
			   .chance = { seed + verdict_count * UINT64_C(7919) },
			   .site = site },
	};
	verdict_count++;
	unsigned before = site->machine_count;
	plan->make(&verdict->story);
	verdict->machines = site->machine_count - before;
}

static void judge_fleet(uint64_t seed, const struct sweep_policy *policy, bool rules)
{
	struct chance chance = { seed };
	int64_t since = FIRST_DAY + (int64_t)chance_below(&chance, 200 * 24 * 60) * MINUTE;
	int64_t offset = (int64_t)chance_below(&chance, 60) * SECOND;
	struct site *shared = site_new(since, since + SWEPT, policy), *alone[STORIES];
	unsigned alone_count = 0;

	verdict_count = 0;
	for (unsigned i = 0; i < sizeof(PLANS) / sizeof(PLANS[0]); i++) {
		for (const struct story_plan *plan = PLANS[i]; plan->name; plan++) {
			struct site *site = shared;

			if (plan->alone)
				site = alone[alone_count++] =
					site_new(since, since + SWEPT, policy);
			make_story(plan, site, chance_below(&chance, UINT64_MAX));
		}
	}
	sweep_site(shared, offset);
	for (unsigned i = 0; i < alone_count; i++)
		sweep_site(alone[i], offset);
	for (unsigned i = 0; i < verdict_count; i++)
		print_verdict(&verdicts[i], rules);
	for (unsigned i = 0; i < alone_count; i++)
		site_free(alone[i]);
	site_free(shared);
}

int main(int argc, char **argv)
{
	struct sweep_policy *policy = NULL;
	struct error err = { "" };

	if (argc != 4)
		fail("usage: sweep_driver SEED FLEETS RULES");
	if (sweep_policy_parse(POLICY, strlen(POLICY), "sweep_driver", &policy, &err))
		fail(error_text(&err));
	uint64_t seed = strtoull(argv[1], NULL, 10), fleets = strtoull(argv[2], NULL, 10);
	for (uint64_t i = 0; i < fleets; i++)
		judge_fleet(seed * 1000003 + i, policy, strcmp(argv[3], "1") == 0);
	sweep_policy_free(policy);
	return 0;
}
