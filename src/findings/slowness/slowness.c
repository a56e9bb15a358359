/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/slowness/slowness.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "findings/slowness/kind.h"
#include "findings/slowness/slow_finding.h"
#include "findings/threshold.h"
#include "tune/slowness/bottleneck.h"

/* All kinds, a line each: NAME.c defines `const struct slow_kind slow_kind_NAME`. */
#define KINDS(KIND)           \
	KIND(stalled)         \
	KIND(slot_wait)       \
	KIND(memory_pressure) \
	KIND(disk_wait)       \
	KIND(network_wait)    \
	KIND(cpu_limit)       \
	KIND(cpu_contention)  \
	KIND(pipe_limit)      \
	KIND(lock_contention) \
	KIND(serial)          \
	KIND(oversubscribed)  \
	KIND(polling)         \
	KIND(sleeping)

#define DECLARE(name) extern const struct slow_kind slow_kind_##name;
#define ENTRY(name)   &slow_kind_##name,

KINDS(DECLARE)
static const struct slow_kind *const kinds[] = { KINDS(ENTRY) };

/* A link that lost something, by step and time. */
struct loss {
	const struct slow_link *link;
	const char *step;
	double ns;
};

static int by_step(const void *one_, const void *other_)
{
	const struct loss *one = one_, *other = other_;
	int order = strcmp(one->step, other->step);

	return order ? order : (one->link > other->link) - (one->link < other->link);
}

static void take(struct slow_group *group, const struct loss *losses, size_t count)
{
	double most = 0;

	group->step = losses[0].step;
	for (size_t i = 0; i < count; i++) {
		const struct slow_link *link = losses[i].link;

		group->links[group->count++] = link;
		group->lost_ns += losses[i].ns;
		group->span_ns += (double)(link->span.ended_at - link->span.began_at);
		group->assumed_ns += link->wall.assumed_ns;
		if (losses[i].ns > most) {
			most = losses[i].ns;
			group->most = link;
		}
		if (group->step && strcmp(group->step, losses[i].step) != 0)
			group->step = NULL;
	}
	group->saves_ns = group->kind->saves_ns ? group->kind->saves_ns(group) : group->lost_ns;
}

static bool is_known(const struct slow_group *group)
{
	double unknown = 0;

	for (size_t i = 0; i < group->count; i++)
		unknown += group->links[i]->wall.ns[WALL_UNKNOWN];
	return unknown <= threshold(SLOW_UNKNOWN) * group->span_ns &&
	       group->assumed_ns <= threshold(SLOW_GUESSED) * group->span_ns;
}

static bool is_worth(const struct slow_group *group)
{
	double ns = group->saves_ns < 0 ? group->lost_ns : group->saves_ns;

	return ns >= threshold(SLOW_NS) && ns >= threshold(RUN_SHARE) * group->facts->wall_ns;
}

static int judge(const struct slowness_facts *facts, const struct slow_kind *kind,
		 const struct loss *losses, size_t count, struct findings *ret)
{
	CLEANUP(freep)
	const struct slow_link **links = calloc(count, sizeof(const struct slow_link *));
	struct slow_group group = { .facts = facts, .kind = kind, .links = links };

	if (!links)
		return -ENOMEM;
	take(&group, losses, count);
	return is_known(&group) && is_worth(&group) ? slow_finding_add(&group, ret) : 0;
}

/* How a workflow engine waits between its tasks is its own design; a script's waits are the user's.
 */
static bool is_judged(const struct slowness_facts *facts, const struct slow_kind *kind,
		      const struct slow_link *link)
{
	static const char *const engines[] = { "snakemake", "nextflow", "luigi",    "cwl",
					       "cwltool",   "toil",     "cromwell", "miniwdl",
					       "slurm",     NULL };

	return !kind->by_step || link->span.task != SLOW_ENGINE || !facts->engine ||
	       !text_is_one_of(facts->engine, engines);
}

static int find_kind(const struct slowness_facts *facts, const struct slow_kind *kind,
		     struct loss *losses, struct findings *ret)
{
	size_t count = 0, from = 0;
	int rc = 0;

	for (size_t i = 0; i < facts->link_count; i++) {
		const struct slow_link *link = &facts->links[i];
		double ns = is_judged(facts, kind, link) ? kind->lost_ns(facts, link) : 0;

		if (ns > 0)
			losses[count++] =
				(struct loss){ link, slow_task_of(facts, link)->step, ns };
	}
	if (kind->by_step)
		qsort(losses, count, sizeof(*losses), by_step);
	for (size_t i = 1; rc == 0 && i <= count; i++) {
		if (i < count && (!kind->by_step || strcmp(losses[i].step, losses[from].step) == 0))
			continue;
		rc = judge(facts, kind, &losses[from], i - from, ret);
		from = i;
	}
	return rc;
}

static int by_saving(const void *one_, const void *other_)
{
	const struct finding *one = one_, *other = other_;

	return (one->saves_s < other->saves_s) - (one->saves_s > other->saves_s);
}

int slowness_find(const struct slowness_facts *facts, struct findings *ret)
{
	CLEANUP(freep) struct loss *losses = calloc(facts->link_count + 1, sizeof(*losses));
	size_t before = ret->count;
	int rc = losses ? 0 : -ENOMEM;

	for (size_t i = 0; rc == 0 && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		rc = find_kind(facts, kinds[i], losses, ret);
	if (rc == 0 && ret->count > before)
		qsort(&ret->items[before], ret->count - before, sizeof(*ret->items), by_saving);
	return rc;
}

const char *slowness_word(const struct slowness_facts *facts)
{
	struct wall sum = { 0 };

	for (size_t i = 0; i < facts->link_count; i++)
		if (!facts->links[i].span.waits)
			wall_add(&sum, &facts->links[i].wall);
	return bottleneck_word(&sum);
}
