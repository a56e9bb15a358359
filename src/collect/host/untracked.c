/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/host/untracked.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/map.h"
#include "collect/cgroup/cgroup_census.h"
#include "collect/cgroup/cgroup.h"
#include "collect/output/outbox.h"
#include "collect/process/agent_clock.h"
#include "collect/process/listener.h"
#include "collect/process/process_table.h"
#include "signal/redact/redact.h"

#define ABOVE_MAX 64 /* steps from a cgroup that is gone to one that is there */

/* What is known of a cgroup from one time to the next. */
struct account {
	uint64_t above;  /* the id of the one that it is in */
	int64_t own_ns;  /* as the last census had it */
	int64_t owed_ns; /* untracked and not told yet */
	uint32_t tick;   /* of the last census that had it */
};

/* What tracked processes of a cgroup (as processes name it) took since the last time. */
struct work {
	char *path; /* in the tree of CPU time */
	uint64_t cpu_ns;
};

/* What was so far, ever. */
struct totals {
	uint64_t host_ns, tracked_ns; /* CPU time */
};

struct untracked {
	struct untracked_parts parts;
	uint64_t tracked_ns;
	struct map *accounts; /* by the id in the tree of CPU time */
	struct map *works;    /* by cgroup_id */
	struct totals before;
	int64_t at, stepped_ns;
	uint32_t tick; /* 0: no census yet */
};

struct untracked *untracked_new(const struct untracked_parts *parts)
{
	struct untracked *untracked = calloc(1, sizeof(*untracked));

	if (!untracked)
		return NULL;
	untracked->parts = *parts;
	untracked->accounts =
		map_new(sizeof(uint64_t), 2 * (size_t)CENSUS_MAX); /* with those that have gone */
	untracked->works = map_new(sizeof(uint64_t), CGROUPS_CAP);
	if (untracked->accounts && untracked->works)
		return untracked;
	untracked_free(untracked);
	return NULL;
}

static bool drop_account(const void *key, void *value, void *context)
{
	struct untracked *untracked = context;

	map_remove(untracked->accounts, key);
	free(value);
	return true;
}

static bool drop_work(const void *key, void *value, void *context)
{
	struct untracked *untracked = context;
	struct work *work = value;

	map_remove(untracked->works, key);
	free(work->path);
	free(work);
	return true;
}

void untracked_free(struct untracked *untracked)
{
	if (!untracked)
		return;
	if (untracked->accounts)
		map_visit(untracked->accounts, drop_account, untracked);
	if (untracked->works)
		map_visit(untracked->works, drop_work, untracked);
	map_free(untracked->accounts);
	map_free(untracked->works);
	free(untracked);
}

static struct work *make_work(struct untracked *untracked, uint64_t cgroup_id)
{
	const struct cgroup *cgroup = cgroups_find(untracked->parts.cgroups, cgroup_id);
	struct work *work = cgroup ? calloc(1, sizeof(*work)) : NULL;

	if (!work)
		return NULL;
	work->path = strdup(cgroup_path_in(cgroup, CGROUP_CPUACCT));
	if (work->path && map_put(untracked->works, &cgroup_id, work) == 0)
		return work;
	free(work->path);
	free(work);
	return NULL;
}

/* Tracked work takes CPU time: in its cgroup that is not untracked. */
static void on_reading(void *context, struct process *process,
		       const struct process_reading *reading)
{
	uint64_t cpu_ns = counters_cpu_ns(reading->now) - counters_cpu_ns(reading->before);
	struct untracked *untracked = context;
	struct work *work;

	if (process_is_noise(process))
		return;
	untracked->tracked_ns += cpu_ns;
	if (!cpu_ns || !process->cgroup_id)
		return;
	work = map_get(untracked->works, &process->cgroup_id);
	if (!work)
		work = make_work(untracked, process->cgroup_id);
	if (work)
		work->cpu_ns += cpu_ns;
}

const struct listener untracked_listener = { .reading = on_reading };

uint64_t untracked_tracked_ns(const struct untracked *untracked)
{
	return untracked->tracked_ns;
}

/* One tick under way. */
struct telling {
	struct untracked *untracked;
	struct census census;
	struct account **accounts; /* of each of the census; NULL: no room */
	uint64_t *private_bytes;   /* of tracked processes in each */
	struct untracked_share *shares;
	int64_t since_at, until_at;
	int64_t told_ns;
};

struct untracked_share {
	size_t cgroup;
	int64_t cpu_ns;
	uint64_t memory_bytes;
	bool memory_known;
};

/* One that is new since the last time begins with nothing told. */
static struct account *account_of(struct untracked *untracked, const struct census_cgroup *cgroup,
				  bool first)
{
	struct account *account = map_get(untracked->accounts, &cgroup->id);

	if (account)
		return account;
	account = calloc(1, sizeof(*account));
	if (account && map_put(untracked->accounts, &cgroup->id, account) < 0) {
		free(account);
		return NULL;
	}
	if (account && first)
		account->own_ns = cgroup->cpu_ns;
	return account;
}

static void find_accounts(struct telling *telling)
{
	struct untracked *untracked = telling->untracked;
	const struct census *census = &telling->census;
	/* Which of too many are told apart changes: what one did before is not told then. */
	bool first = untracked->tick++ == 0 || census->count == CENSUS_MAX;

	for (size_t i = 0; i < census->count; i++) {
		const struct census_cgroup *cgroup = &census->cgroups[i];
		struct account *account = account_of(untracked, cgroup, first);

		telling->accounts[i] = account;
		if (!account)
			continue;
		account->tick = untracked->tick;
		account->above = census->cgroups[cgroup->above].id;
	}
}

/* What a removed cgroup ever took is in the counter of the one that it was in. */
static bool hand_up(const void *key, void *value, void *context)
{
	const struct untracked *untracked = context;
	const struct account *gone = value;
	struct account *above = NULL;
	uint64_t id = gone->above;

	if (gone->tick == untracked->tick)
		return true;
	for (unsigned step = 0; step < ABOVE_MAX; step++) {
		above = map_get(untracked->accounts, &id);
		if (!above || above->tick == untracked->tick)
			break;
		id = above->above;
	}
	if (above && above->tick == untracked->tick) {
		above->own_ns += gone->own_ns;
		above->owed_ns += gone->owed_ns;
	}
	return true;
}

static bool drop_gone(const void *key, void *value, void *context)
{
	const struct untracked *untracked = context;
	const struct account *account = value;

	return account->tick == untracked->tick || drop_account(key, value, context);
}

static bool take_work_off(const void *key, void *value, void *context)
{
	struct telling *telling = context;
	struct work *work = value;
	struct account *account = telling->accounts[census_find(&telling->census, work->path)];

	if (account)
		account->owed_ns -= (int64_t)work->cpu_ns;
	work->cpu_ns = 0;
	if (!cgroups_find(telling->untracked->parts.cgroups, *(const uint64_t *)key))
		drop_work(key, work, telling->untracked);
	return true;
}

static void settle(struct telling *telling)
{
	struct untracked *untracked = telling->untracked;

	find_accounts(telling);
	map_visit(untracked->accounts, hand_up, untracked);
	map_visit(untracked->accounts, drop_gone, untracked);
	for (size_t i = 0; i < telling->census.count; i++) {
		struct account *account = telling->accounts[i];

		if (!account)
			continue;
		account->owed_ns += telling->census.cgroups[i].cpu_ns - account->own_ns;
		account->own_ns = telling->census.cgroups[i].cpu_ns;
	}
	map_visit(untracked->works, take_work_off, telling);
}

static void add_private(struct process *process, void *context)
{
	struct telling *telling = context;
	const struct cgroup *cgroup =
		cgroups_find(telling->untracked->parts.cgroups, process->cgroup_id);
	struct counters seen;

	if (!process_is_alive(process) || process_is_noise(process) || !cgroup)
		return;
	counters_recall(process->seen, &seen);
	telling->private_bytes[census_find(
		&telling->census, cgroup_path_in(cgroup, CGROUP_MEMORY))] += seen.rss_anon_bytes;
}

static void send(const struct telling *telling, const char *kind, const char *path,
		 uint32_t cgroups, const struct untracked_share *share)
{
	Signal__Untracked record = SIGNAL__UNTRACKED__INIT;
	char masked[CGROUP_PATH_BYTES];

	record.since_at = telling->since_at;
	record.until_at = telling->until_at;
	record.kind = (char *)(uintptr_t)kind;
	record.path = redact_copy(path, masked, sizeof(masked));
	record.cgroups = cgroups;
	record.cpu_ns = share->cpu_ns;
	record.memory_bytes = share->memory_bytes;
	record.memory_known = share->memory_known;
	outbox_add(telling->untracked->parts.outbox, &record.base);
}

static int by_time(const void *a, const void *b)
{
	const struct untracked_share *left = a, *right = b;

	return (left->cpu_ns < right->cpu_ns) - (left->cpu_ns > right->cpu_ns);
}

static size_t share_out(struct telling *telling)
{
	const struct census *census = &telling->census;
	size_t count = 0;

	for (size_t i = census->root_known ? 0 : 1; i < census->count; i++) {
		struct account *account = telling->accounts[i];
		uint64_t memory = census->cgroups[i].memory_bytes,
			 tracked = telling->private_bytes[i];
		struct untracked_share share = { .cgroup = i,
						 .memory_known = census->cgroups[i].memory_known };

		if (account && account->owed_ns > 0)
			share.cpu_ns = account->owed_ns;
		if (share.memory_known && memory > tracked)
			share.memory_bytes = memory - tracked;
		if (!share.cpu_ns && !share.memory_bytes)
			continue;
		if (account)
			account->owed_ns -= share.cpu_ns;
		telling->told_ns += share.cpu_ns;
		telling->shares[count++] = share;
	}
	qsort(telling->shares, count, sizeof(*telling->shares), by_time);
	return count;
}

/* The largest by path, then all others at once. */
static void send_shares(struct telling *telling)
{
	size_t count = share_out(telling), told = 0;
	struct untracked_share more = { 0 };

	while (told < count && told < UNTRACKED_TOLD_MAX &&
	       telling->shares[told].cpu_ns >= UNTRACKED_TOLD_NS) {
		const struct untracked_share *share = &telling->shares[told++];

		send(telling, "cgroup", telling->census.cgroups[share->cgroup].path, 1, share);
	}
	for (size_t i = told; i < count; i++) {
		more.cpu_ns += telling->shares[i].cpu_ns;
		more.memory_bytes += telling->shares[i].memory_bytes;
		more.memory_known |= telling->shares[i].memory_known;
	}
	if (told < count)
		send(telling, "more", "", (uint32_t)(count - told), &more);
}

static int64_t growth(uint64_t before, uint64_t now)
{
	return now > before ? (int64_t)(now - before) : 0;
}

static void tell(struct telling *telling, const struct totals *totals)
{
	const struct totals *before = &telling->untracked->before;
	struct untracked_share tracked = { .cpu_ns =
						   growth(before->tracked_ns, totals->tracked_ns) };
	struct untracked_share rest = { .cpu_ns = growth(before->host_ns, totals->host_ns) };

	process_table_visit(telling->untracked->parts.processes, add_private, telling);
	send_shares(telling);
	rest.cpu_ns -= tracked.cpu_ns + telling->told_ns;
	send(telling, "tracked", "", 0, &tracked);
	send(telling, "rest", "", 0, &rest);
}

void untracked_send(struct untracked *untracked, uint64_t host_ns)
{
	const struct agent_clock *clock = untracked->parts.clock;
	const struct totals totals = { .host_ns = host_ns, .tracked_ns = untracked->tracked_ns };
	struct telling telling = { .untracked = untracked,
				   .since_at = untracked->at + clock->stepped_ns -
					       untracked->stepped_ns,
				   .until_at = agent_clock_now(clock) };
	bool first = untracked->tick == 0;
	int result = census_take(&telling.census);

	telling.accounts = calloc(CENSUS_MAX, sizeof(struct account *));
	telling.private_bytes = calloc(CENSUS_MAX, sizeof(*telling.private_bytes));
	telling.shares = calloc(CENSUS_MAX, sizeof(*telling.shares));
	if (result == 0 && telling.census.count && telling.accounts && telling.private_bytes &&
	    telling.shares) {
		settle(&telling);
		if (!first)
			tell(&telling, &totals);
		untracked->before = totals;
		untracked->at = telling.until_at;
		untracked->stepped_ns = clock->stepped_ns;
	}
	free(telling.accounts);
	free(telling.private_bytes);
	free(telling.shares);
	census_clear(&telling.census);
}
