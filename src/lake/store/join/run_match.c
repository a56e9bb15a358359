/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/join/run_match.h"

#include "base/cleanup.h"
#include "base/map.h"
#include "lake/store/join/merged_runs.h"
#include "lake/store/join/run_link.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS_MAX    1000000 /* of one match; what is beyond is not joined */
#define COMPARED_MAX 8000000 /* of one match; what is beyond is not compared */
#define HEADS_MAX    8       /* of a part, by one link; the best of those that fit */

/* An id, and the one that it belongs to: a forest, as in the problem of disjoint sets. */
struct node {
	char *id; /* owned */
	struct node *into;
	bool blocks; /* a pair waits because several heads fit, and this is one of them */
};

struct pair {
	const struct linked_run *head, *part;
	struct pair *next; /* of the same rule and part */
};

struct run_match {
	const struct merged_runs *known; /* NULL: what the rows say */
	struct node *nodes;
	size_t nodes_count;
	struct map *node_of;     /* of ids (map_text_key) */
	struct linked_run *runs; /* by rule and value, then heads before their parts */
	size_t runs_count;
	size_t *fresh; /* places of the new ones among the runs of one link */
	size_t compared;
	struct pair *pairs; /* the most trusted first */
	size_t pairs_count;
	struct map *first; /* of parts' ids (map_text_key), their first pair of a one_head rule */
	size_t next;       /* the pairs before it are joined, closed or blocked */
	size_t *blocked;   /* places of pairs that wait: several heads fit */
	size_t blocked_count;
	bool again; /* what is blocked is to be looked at again */
};

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_pairs(const void *a_, const void *b_)
{
	const struct pair *a = a_, *b = b_;
	const struct link_rule *rule = a->head->rule;
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

static struct node *find_node(struct run_match *match, const char *id)
{
	struct map_text_key key = map_text_key(id, strlen(id));
	struct node *node = map_get(match->node_of, &key);

	if (node)
		return node;
	node = &match->nodes[match->nodes_count];
	*node = (struct node){ .id = strdup(id), .into = node };
	if (!node->id || map_put(match->node_of, &key, node))
		return NULL;
	match->nodes_count++;
	return node;
}

static struct node *root(struct node *node)
{
	while (node->into != node) {
		node->into = node->into->into;
		node = node->into;
	}
	return node;
}

static int read_run(struct run_match *match, struct linked_run *run, const struct store_rows *row)
{
	const char *merged_id = store_text(row, (size_t)store_column(row, "merged_id"));

	linked_run_read(run, row);
	if (match->known)
		merged_id = merged_runs_find(match->known, merged_id);
	run->own = find_node(match, run->run_id);
	run->merged = run->own ? find_node(match, merged_id) : NULL;
	return run->merged ? 0 : -ENOMEM;
}

/* Runs with a link of a known kind, and a known start. */
static int read_runs(struct run_match *match, struct store_rows *linked)
{
	size_t count = 0;
	int rc = 0;

	while (store_next(linked))
		count++;
	store_rewind(linked);
	match->runs = calloc(count + 1, sizeof(*match->runs));
	match->fresh = calloc(count + 1, sizeof(*match->fresh));
	match->nodes = calloc(2 * count + 1, sizeof(*match->nodes));
	match->node_of = map_new_of_texts(2 * count + 1);
	if (!match->runs || !match->fresh || !match->nodes || !match->node_of)
		return -ENOMEM;
	while (!rc && store_next(linked)) {
		struct linked_run *run = &match->runs[match->runs_count];

		rc = read_run(match, run, linked);
		match->runs_count += run->rule && run->started_at;
	}
	qsort(match->runs, match->runs_count, sizeof(*match->runs), linked_run_compare);
	return rc;
}

/* Adds the pair where it fits; where there is no room yet, it is only counted. */
static bool add_pair(struct run_match *match, const struct linked_run *head,
		     const struct linked_run *part)
{
	if (match->pairs_count >= PAIRS_MAX || match->compared >= COMPARED_MAX)
		return false;
	match->compared++;
	if (!head->rule->fits(head, part))
		return false;
	if (match->pairs)
		match->pairs[match->pairs_count] = (struct pair){ .head = head, .part = part };
	match->pairs_count++;
	return true;
}

/* Runs that may be heads of one part: runs[places[begin]] …, or runs[begin] … without places. */
struct heads {
	const size_t *places;
	size_t begin, end;
};

/* As a part is joined to the best head that fits, few are enough. */
static void add_heads(struct run_match *match, const struct heads *heads,
		      const struct linked_run *part)
{
	size_t most = part->rule->one_head ? SIZE_MAX : HEADS_MAX, added = 0;

	for (size_t i = 0; i < heads->end - heads->begin && added < most; i++) {
		size_t at = part->rule->latest_head ? heads->end - 1 - i : heads->begin + i;
		const struct linked_run *head =
			&match->runs[heads->places ? heads->places[at] : at];

		added += add_pair(match, head, part);
	}
}

/* The first of the fresh ones that is not before `at`. */
static size_t fresh_before(const struct run_match *match, size_t count, size_t at)
{
	size_t low = 0;

	while (low < count) {
		size_t middle = low + (count - low) / 2;

		if (match->fresh[middle] < at)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

/* The runs [begin, end) have the same link, and leads come first. A new one is compared with all
 * before it, an older one with the new ones before it. */
static void compare_group(struct run_match *match, size_t begin, size_t end)
{
	size_t leads = begin, fresh = 0;

	while (leads < end && match->runs[leads].lead)
		leads++;
	for (size_t i = begin; i < end; i++) {
		if (match->runs[i].is_new)
			match->fresh[fresh++] = i;
	}
	for (size_t i = begin; i < end && fresh; i++) {
		const struct linked_run *part = &match->runs[i];
		bool is_new = part->is_new;
		size_t begins[] = { begin, leads }, ends[] = { i < leads ? i : leads, i };

		if (part->rule->one_head && part->lead)
			continue;
		for (size_t k = 0; k < 1 + (size_t)(i >= leads && !part->rule->one_head); k++) {
			struct heads heads = {
				.places = is_new ? NULL : match->fresh,
				.begin = is_new ? begins[k] : fresh_before(match, fresh, begins[k]),
				.end = is_new ? ends[k] : fresh_before(match, fresh, ends[k]),
			};

			add_heads(match, &heads, part);
		}
	}
}

static bool same_link(const struct linked_run *a, const struct linked_run *b)
{
	return a->rule == b->rule && !strcmp(a->value, b->value);
}

static void compare_runs(struct run_match *match)
{
	match->pairs_count = match->compared = 0;
	for (size_t begin = 0, end; begin < match->runs_count; begin = end) {
		for (end = begin; end < match->runs_count; end++)
			if (!same_link(&match->runs[begin], &match->runs[end]))
				break;
		compare_group(match, begin, end);
	}
}

static int make_pairs(struct run_match *match)
{
	compare_runs(match);
	match->pairs = calloc(match->pairs_count + 1, sizeof(*match->pairs));
	match->blocked = calloc(match->pairs_count + 1, sizeof(*match->blocked));
	if (!match->pairs || !match->blocked)
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
	for (size_t i = 0; i < match->nodes_count; i++)
		free(match->nodes[i].id);
	map_free(match->node_of);
	map_free(match->first);
	free(match->nodes);
	free(match->fresh);
	free(match->blocked);
	free(match->pairs);
	free(match->runs);
	free(match);
}

DEFINE_CLEANUP(struct run_match *, run_match_free)

int run_match_new(struct run_match **ret, struct store_rows *linked,
		  const struct merged_runs *known, struct error *err)
{
	CLEANUP(run_match_freep) struct run_match *match = calloc(1, sizeof(*match));
	int rc = match ? 0 : -ENOMEM;

	if (match)
		match->known = known;
	if (!rc)
		rc = read_runs(match, linked);
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
	struct node *part = root(pair->part->merged);

	return root(pair->head->merged) != part && part == pair->part->own;
}

static bool has_other_head(const struct run_match *match, const struct pair *pair)
{
	const char *part_id = pair->part->run_id;
	struct map_text_key key = map_text_key(part_id, strlen(part_id));

	for (const struct pair *other = map_get(match->first, &key); other; other = other->next)
		if (is_open(other) && root(other->head->merged) != root(pair->head->merged))
			return true;
	return false;
}

static bool may_join(const struct run_match *match, const struct pair *pair)
{
	return !pair->head->rule->one_head || !has_other_head(match, pair);
}

/* A pair among those that wait, now that heads became one run. */
static const struct pair *next_blocked(struct run_match *match)
{
	const struct pair *found = NULL;
	size_t kept = 0;

	for (size_t i = 0; match->again && i < match->blocked_count; i++) {
		const struct pair *pair = &match->pairs[match->blocked[i]];

		if (!found && is_open(pair) && may_join(match, pair))
			found = pair;
		else if (is_open(pair))
			match->blocked[kept++] = match->blocked[i];
	}
	if (match->again)
		match->blocked_count = kept;
	match->again = match->again && found;
	return found;
}

static const struct pair *next_open(struct run_match *match)
{
	while (match->next < match->pairs_count) {
		const struct pair *pair = &match->pairs[match->next++];

		if (!is_open(pair))
			continue;
		if (may_join(match, pair))
			return pair;
		root(pair->head->merged)->blocks = true;
		match->blocked[match->blocked_count++] = match->next - 1;
	}
	return NULL;
}

bool run_match_next(struct run_match *match, struct run_join *ret)
{
	const struct pair *pair = next_blocked(match);
	struct node *head, *part;

	if (!pair)
		pair = next_open(match);
	if (!pair)
		return false;
	head = root(pair->head->merged);
	part = root(pair->part->merged);
	*ret = (struct run_join){ .part_id = part->id,
				  .run_id = head->id,
				  .reason = pair->head->rule->kind,
				  .value = pair->head->value };
	part->into = head;
	match->again = match->again || part->blocks;
	head->blocks = head->blocks || part->blocks;
	return true;
}

size_t run_match_compared(const struct run_match *match)
{
	return match->compared;
}
