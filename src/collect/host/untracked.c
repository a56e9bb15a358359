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
	int64_t owed_ns; /* untracked and not sent yet */
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
struct sending {
	struct untracked *untracked;
	struct census census;
	struct account **accounts; /* of each of the census; NULL: no room */
	uint64_t *private_bytes;   /* of tracked processes in each */
	struct untracked_share *shares;
	int64_t since_at, until_at;
	int64_t sent_ns;
};

struct untracked_share {
	size_t cgroup;
	int64_t cpu_ns;
	uint64_t memory_bytes;
	bool memory_known;
};

/* One that is new since the last time begins with nothing sent. */
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

static void find_accounts(struct sending *sending)
{
	struct untracked *untracked = sending->untracked;
	const struct census *census = &sending->census;
	/* Which of too many are counted by themselves changes: what one did before is not sent
	 * then. */
	bool first = untracked->tick++ == 0 || census->count == CENSUS_MAX;

	for (size_t i = 0; i < census->count; i++) {
		const struct census_cgroup *cgroup = &census->cgroups[i];
		struct account *account = account_of(untracked, cgroup, first);

		sending->accounts[i] = account;
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
	struct sending *sending = context;
	struct work *work = value;
	struct account *account = sending->accounts[census_find(&sending->census, work->path)];

	if (account)
		account->owed_ns -= (int64_t)work->cpu_ns;
	work->cpu_ns = 0;
	if (!cgroups_find(sending->untracked->parts.cgroups, *(const uint64_t *)key))
		drop_work(key, work, sending->untracked);
	return true;
}

static void settle(struct sending *sending)
{
	struct untracked *untracked = sending->untracked;

	find_accounts(sending);
	map_visit(untracked->accounts, hand_up, untracked);
	map_visit(untracked->accounts, drop_gone, untracked);
	for (size_t i = 0; i < sending->census.count; i++) {
		struct account *account = sending->accounts[i];

		if (!account)
			continue;
		account->owed_ns += sending->census.cgroups[i].cpu_ns - account->own_ns;
		account->own_ns = sending->census.cgroups[i].cpu_ns;
	}
	map_visit(untracked->works, take_work_off, sending);
}

static void add_private(struct process *process, void *context)
{
	struct sending *sending = context;
	const struct cgroup *cgroup =
		cgroups_find(sending->untracked->parts.cgroups, process->cgroup_id);
	struct counters seen;

	if (process_is_noise(process) || !cgroup)
		return;
	process_seen(process, &seen);
	sending->private_bytes[census_find(
		&sending->census, cgroup_path_in(cgroup, CGROUP_MEMORY))] += seen.rss_anon_bytes;
}

static void send(const struct sending *sending, const char *kind, const char *path,
		 uint32_t cgroups, const struct untracked_share *share)
{
	Signal__Untracked record = SIGNAL__UNTRACKED__INIT;
	char masked[CGROUP_PATH_BYTES];

	record.since_at = sending->since_at;
	record.until_at = sending->until_at;
	record.kind = (char *)(uintptr_t)kind;
	record.path = redact_copy(path, masked, sizeof(masked));
	record.cgroups = cgroups;
	record.cpu_ns = share->cpu_ns;
	record.memory_bytes = share->memory_bytes;
	record.memory_known = share->memory_known;
	outbox_add(sending->untracked->parts.outbox, &record.base);
}

static int by_time(const void *a, const void *b)
{
	const struct untracked_share *left = a, *right = b;

	return (left->cpu_ns < right->cpu_ns) - (left->cpu_ns > right->cpu_ns);
}

static size_t share_out(struct sending *sending)
{
	const struct census *census = &sending->census;
	size_t count = 0;

	for (size_t i = census->root_known ? 0 : 1; i < census->count; i++) {
		struct account *account = sending->accounts[i];
		uint64_t memory = census->cgroups[i].memory_bytes,
			 tracked = sending->private_bytes[i];
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
		sending->sent_ns += share.cpu_ns;
		sending->shares[count++] = share;
	}
	qsort(sending->shares, count, sizeof(*sending->shares), by_time);
	return count;
}

/* The largest by path, then all others at once. */
static void send_shares(struct sending *sending)
{
	size_t count = share_out(sending), sent = 0;
	struct untracked_share more = { 0 };

	while (sent < count && sent < UNTRACKED_SENT_MAX &&
	       sending->shares[sent].cpu_ns >= UNTRACKED_SENT_NS) {
		const struct untracked_share *share = &sending->shares[sent++];

		send(sending, "cgroup", sending->census.cgroups[share->cgroup].path, 1, share);
	}
	for (size_t i = sent; i < count; i++) {
		more.cpu_ns += sending->shares[i].cpu_ns;
		more.memory_bytes += sending->shares[i].memory_bytes;
		more.memory_known |= sending->shares[i].memory_known;
	}
	if (sent < count)
		send(sending, "more", "", (uint32_t)(count - sent), &more);
}

static int64_t growth(uint64_t before, uint64_t now)
{
	return now > before ? (int64_t)(now - before) : 0;
}

static void send_all(struct sending *sending, const struct totals *totals)
{
	const struct totals *before = &sending->untracked->before;
	struct untracked_share tracked = { .cpu_ns =
						   growth(before->tracked_ns, totals->tracked_ns) };
	struct untracked_share rest = { .cpu_ns = growth(before->host_ns, totals->host_ns) };

	process_table_visit(sending->untracked->parts.processes, add_private, sending);
	send_shares(sending);
	rest.cpu_ns -= tracked.cpu_ns + sending->sent_ns;
	send(sending, "tracked", "", 0, &tracked);
	send(sending, "rest", "", 0, &rest);
}

void untracked_send(struct untracked *untracked, uint64_t host_ns)
{
	const struct agent_clock *clock = untracked->parts.clock;
	const struct totals totals = { .host_ns = host_ns, .tracked_ns = untracked->tracked_ns };
	struct sending sending = { .untracked = untracked,
				   .since_at = untracked->at + clock->stepped_ns -
					       untracked->stepped_ns,
				   .until_at = agent_clock_now(clock) };
	bool first = untracked->tick == 0;
	int result = census_take(&sending.census);

	sending.accounts = calloc(CENSUS_MAX, sizeof(struct account *));
	sending.private_bytes = calloc(CENSUS_MAX, sizeof(*sending.private_bytes));
	sending.shares = calloc(CENSUS_MAX, sizeof(*sending.shares));
	if (result == 0 && sending.census.count && sending.accounts && sending.private_bytes &&
	    sending.shares) {
		settle(&sending);
		if (!first)
			send_all(&sending, &totals);
		untracked->before = totals;
		untracked->at = sending.until_at;
		untracked->stepped_ns = clock->stepped_ns;
	}
	free(sending.accounts);
	free(sending.private_bytes);
	free(sending.shares);
	census_clear(&sending.census);
}
