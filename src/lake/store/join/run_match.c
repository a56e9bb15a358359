/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/join/run_match.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/map.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS_MAX 1000000 /* of one batch; what is beyond is not compared */
#define MINUTE_NS (60 * NS_PER_S)
#define DAY_NS    (24 * 3600 * NS_PER_S)

struct rule;

/* A run by one of its links. Texts are those of the rows. */
struct linked_run {
	const struct rule *rule; /* of the link's kind; NULL: of no known kind */
	const char *value, *run_id, *host_id, *engine, *command_digest;
	const char *merged_id; /* the run it is a part of, else run_id */
	bool lead;             /* false: an engine on another host started it as a job */
	bool is_new;           /* the link came with this batch */
	int64_t started_at, until_at;
};

struct pair {
	const struct linked_run *head, *part;
	struct pair *next; /* of the same rule and part */
};

struct run_match {
	struct linked_run *runs; /* by rule and value */
	size_t runs_count;
	struct pair *pairs; /* the most trusted first */
	size_t pairs_count;
	struct map *first; /* of parts' ids (map_text_key), their first pair of a one_head rule */
};

struct rule {
	const char *kind;
	bool (*fits)(const struct linked_run *head, const struct linked_run *part);
	bool one_head;    /* no join while several heads fit */
	bool latest_head; /* of several heads the one that started last; else first */
};

static bool started_within(const struct linked_run *part, const struct linked_run *head,
			   int64_t slack_ns)
{
	return part->started_at >= head->started_at - slack_ns &&
	       part->started_at <= head->until_at + slack_ns;
}

static bool same_engine(const struct linked_run *head, const struct linked_run *part)
{
	return !strcmp(head->engine, part->engine);
}

static bool other_hosts(const struct linked_run *head, const struct linked_run *part)
{
	return strcmp(head->host_id, part->host_id) != 0;
}

static bool fits_folder(const struct linked_run *head, const struct linked_run *part)
{
	return head->lead && !part->lead && same_engine(head, part) &&
	       started_within(part, head, MINUTE_NS);
}

static bool fits_workflow(const struct linked_run *head, const struct linked_run *part)
{
	return same_engine(head, part) && started_within(part, head, DAY_NS);
}

static bool fits_job(const struct linked_run *head, const struct linked_run *part)
{
	return other_hosts(head, part) && started_within(part, head, DAY_NS);
}

static bool fits_container(const struct linked_run *head, const struct linked_run *part)
{
	return other_hosts(head, part) && started_within(part, head, MINUTE_NS);
}

static bool fits_trace(const struct linked_run *head, const struct linked_run *part)
{
	bool repeated = !strcmp(head->command_digest, part->command_digest) &&
			part->started_at > head->until_at;

	return started_within(part, head, DAY_NS) && !repeated;
}

/* The most trusted first. */
static const struct rule RULES[] = {
	{ .kind = "folder", .fits = fits_folder, .one_head = true },
	{ .kind = "workflow", .fits = fits_workflow },
	{ .kind = "job", .fits = fits_job },
	{ .kind = "container", .fits = fits_container },
	{ .kind = "trace", .fits = fits_trace, .latest_head = true },
};

static const struct rule *find_rule(const char *kind)
{
	for (size_t i = 0; i < sizeof(RULES) / sizeof(RULES[0]); i++)
		if (!strcmp(RULES[i].kind, kind))
			return &RULES[i];
	return NULL;
}

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_links(const void *a_, const void *b_)
{
	const struct linked_run *a = a_, *b = b_;
	int order = (a->rule > b->rule) - (a->rule < b->rule);

	if (!order)
		order = strcmp(a->value, b->value);
	return order ? order : strcmp(a->run_id, b->run_id);
}

static int compare_pairs(const void *a_, const void *b_)
{
	const struct pair *a = a_, *b = b_;
	const struct rule *rule = a->head->rule;
	int order = (rule > b->head->rule) - (rule < b->head->rule);

	if (!order)
		order = rule->latest_head
				? compare_numbers(b->head->started_at, a->head->started_at)
				: compare_numbers(a->head->started_at, b->head->started_at);
	if (!order)
		order = compare_numbers(a->part->started_at, b->part->started_at);
	if (!order)
		order = strcmp(a->part->run_id, b->part->run_id);
	return order ? order : strcmp(a->head->run_id, b->head->run_id);
}

static const char *text_of(const struct store_rows *rows, const char *column)
{
	return store_text(rows, (size_t)store_column(rows, column));
}

static int64_t i64_of(const struct store_rows *rows, const char *column)
{
	return store_i64(rows, (size_t)store_column(rows, column));
}

static bool bool_of(const struct store_rows *rows, const char *column)
{
	return store_bool(rows, (size_t)store_column(rows, column));
}

static void read_run(struct linked_run *run, const struct store_rows *row)
{
	*run = (struct linked_run){
		.rule = find_rule(text_of(row, "kind")),
		.value = text_of(row, "value"),
		.run_id = text_of(row, "run_id"),
		.merged_id = text_of(row, "merged_id"),
		.host_id = text_of(row, "host_id"),
		.engine = text_of(row, "engine"),
		.command_digest = text_of(row, "command_digest"),
		.lead = bool_of(row, "lead"),
		.is_new = bool_of(row, "is_new"),
		.started_at = i64_of(row, "started_at"),
		.until_at = i64_of(row, "until_at"),
	};
}

/* Runs with a link of a known kind, and a known start. */
static int read_runs(struct run_match *match, struct store_rows *linked)
{
	size_t count = 0;

	while (store_next(linked))
		count++;
	store_rewind(linked);
	match->runs = calloc(count + 1, sizeof(*match->runs));
	if (!match->runs)
		return -ENOMEM;
	while (store_next(linked)) {
		struct linked_run *run = &match->runs[match->runs_count];

		read_run(run, linked);
		match->runs_count += run->rule && run->started_at;
	}
	qsort(match->runs, match->runs_count, sizeof(*match->runs), compare_links);
	return 0;
}

static bool is_head(const struct linked_run *a, const struct linked_run *b)
{
	if (a->lead != b->lead)
		return a->lead;
	if (a->started_at != b->started_at)
		return a->started_at < b->started_at;
	return strcmp(a->run_id, b->run_id) < 0;
}

/* Adds the pair where it fits; where there is no room yet, it is only counted. */
static void add_pair(struct run_match *match, const struct linked_run *a,
		     const struct linked_run *b)
{
	const struct linked_run *head = is_head(a, b) ? a : b, *part = head == a ? b : a;

	if (a == b || match->pairs_count >= PAIRS_MAX || !head->rule->fits(head, part))
		return;
	if (match->pairs)
		match->pairs[match->pairs_count] = (struct pair){ .head = head, .part = part };
	match->pairs_count++;
}

static bool same_link(const struct linked_run *a, const struct linked_run *b)
{
	return a->rule == b->rule && !strcmp(a->value, b->value);
}

/* Each new link against all with the same kind and value; two new ones once. */
static void compare_runs(struct run_match *match)
{
	match->pairs_count = 0;
	for (size_t begin = 0, end; begin < match->runs_count; begin = end) {
		for (end = begin; end < match->runs_count; end++)
			if (!same_link(&match->runs[begin], &match->runs[end]))
				break;
		for (size_t a = begin; a < end; a++)
			for (size_t b = begin; match->runs[a].is_new && b < end; b++)
				if (b > a || !match->runs[b].is_new)
					add_pair(match, &match->runs[a], &match->runs[b]);
	}
}

static int make_pairs(struct run_match *match)
{
	compare_runs(match);
	match->pairs = calloc(match->pairs_count + 1, sizeof(*match->pairs));
	if (!match->pairs)
		return -ENOMEM;
	compare_runs(match);
	qsort(match->pairs, match->pairs_count, sizeof(*match->pairs), compare_pairs);
	return 0;
}

/* Chains the pairs of one part, where several heads prevent a join. */
static int chain_pairs(struct run_match *match)
{
	match->first = map_new(sizeof(struct map_text_key), PAIRS_MAX);
	for (size_t i = 0; match->first && i < match->pairs_count; i++) {
		struct pair *pair = &match->pairs[i];
		const char *part_id = pair->part->run_id;
		struct map_text_key key = map_text_key(part_id, strlen(part_id));

		if (!pair->part->rule->one_head)
			continue;
		pair->next = map_get(match->first, &key);
		if (map_put(match->first, &key, pair))
			return -ENOMEM;
	}
	return match->first ? 0 : -ENOMEM;
}

void run_match_free(struct run_match *match)
{
	if (!match)
		return;
	map_free(match->first);
	free(match->pairs);
	free(match->runs);
	free(match);
}

DEFINE_CLEANUP(struct run_match *, run_match_free)

int run_match_new(struct run_match **ret, struct store_rows *linked, struct error *err)
{
	CLEANUP(run_match_freep) struct run_match *match = calloc(1, sizeof(*match));
	int rc = match ? read_runs(match, linked) : -ENOMEM;

	if (!rc)
		rc = make_pairs(match);
	if (!rc)
		rc = chain_pairs(match);
	if (rc)
		return error_set(err, rc, "no memory to join runs");
	*ret = TAKE_PTR(match);
	return 0;
}

/* Neither are they one run already, nor is the part one of another run. */
static bool is_open(const struct pair *pair)
{
	return strcmp(pair->head->merged_id, pair->part->merged_id) != 0 &&
	       !strcmp(pair->part->run_id, pair->part->merged_id);
}

static bool has_other_head(const struct run_match *match, const struct pair *pair)
{
	const char *part_id = pair->part->run_id;
	struct map_text_key key = map_text_key(part_id, strlen(part_id));

	for (const struct pair *other = map_get(match->first, &key); other; other = other->next)
		if (is_open(other) && strcmp(other->head->merged_id, pair->head->merged_id) != 0)
			return true;
	return false;
}

static void apply(struct run_match *match, const struct run_join *join)
{
	for (size_t i = 0; i < match->runs_count; i++)
		if (!strcmp(match->runs[i].merged_id, join->part_id))
			match->runs[i].merged_id = join->run_id;
}

bool run_match_next(struct run_match *match, struct run_join *ret)
{
	for (size_t i = 0; i < match->pairs_count; i++) {
		const struct pair *pair = &match->pairs[i];

		if (!is_open(pair))
			continue;
		if (pair->head->rule->one_head && has_other_head(match, pair))
			continue;
		*ret = (struct run_join){ .part_id = pair->part->merged_id,
					  .run_id = pair->head->merged_id,
					  .reason = pair->head->rule->kind,
					  .value = pair->head->value };
		apply(match, ret);
		return true;
	}
	return false;
}
