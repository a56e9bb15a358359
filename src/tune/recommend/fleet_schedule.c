/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/recommend/fleet_schedule.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "tune/replay/event_queue.h"

#define SCAN_MAX 32   /* tasks that wait and do not fit are passed over */
#define WHOLE    1e-9 /* of a host: sums of CPUs that are equal differ by less */

/* One that is up, or starts. */
struct host {
	double cpus, memory_bytes; /* held */
	double started_at, up_at, empty_since;
	size_t tasks, number;
};

struct fleet {
	const struct fleet_plan *plan;
	const struct fleet_hosts *all;
	struct fleet_times *times;
	struct host *hosts; /* those that are not stopped */
	size_t host_count;
	size_t *missing; /* needs of a task that are not there */
	size_t *next;    /* of its needs */
	double *ready;
	/* Ends of tasks, then tasks that become ready, then hosts that may be stopped: of equal
	 * instants the lower number goes first. */
	struct event_queue events;
	struct event_queue waiting; /* tasks, by when they were ready */
	double now;
	size_t ended;
	bool changed; /* room, or a task that waits */
};

static bool has_room(const struct fleet *fleet, const struct host *host,
		     const struct fleet_task *task)
{
	return host->cpus + task->cpus <= fleet->all->cpus * (1 + WHOLE) &&
	       host->memory_bytes + task->memory_bytes <= fleet->all->memory_bytes;
}

/* Up before starting, then the one that is up earliest, then the fullest. */
static bool is_better(const struct fleet *fleet, const struct host *host, const struct host *than)
{
	bool up = host->up_at <= fleet->now, other_up = than->up_at <= fleet->now;

	if (up != other_up)
		return up;
	if (!up && host->up_at != than->up_at)
		return host->up_at < than->up_at;
	return host->cpus > than->cpus;
}

static struct host *find_host(struct fleet *fleet, const struct fleet_task *task)
{
	struct host *best = NULL;

	for (size_t i = 0; i < fleet->host_count; i++) {
		struct host *host = &fleet->hosts[i];

		if (has_room(fleet, host, task) && (!best || is_better(fleet, host, best)))
			best = host;
	}
	return best;
}

static struct host *start_host(struct fleet *fleet)
{
	struct host *host = &fleet->hosts[fleet->host_count];

	if (fleet->host_count == fleet->all->most)
		return NULL;
	*host = (struct host){ .started_at = fleet->now,
			       .up_at = fleet->now + fleet->all->start_ns,
			       .number = fleet->times->starts++ };
	fleet->host_count++;
	if (fleet->host_count > fleet->times->most)
		fleet->times->most = fleet->host_count;
	return host;
}

static void begin(struct fleet *fleet, struct host *host, size_t number)
{
	const struct fleet_task *task = &fleet->plan->tasks[number];
	struct fleet_times *times = fleet->times;

	host->cpus += task->cpus;
	host->memory_bytes += task->memory_bytes;
	host->tasks++;
	times->cpus_peak = fmax(times->cpus_peak, host->cpus);
	times->memory_peak_bytes = fmax(times->memory_peak_bytes, host->memory_bytes);
	times->hosts[number] = host->number;
	times->begins[number] = fmax(fleet->now, host->up_at);
	times->ends[number] = times->begins[number] + task->ns;
	event_queue_put(&fleet->events, times->ends[number], number);
}

static void begin_waiting(struct fleet *fleet)
{
	struct event passed[SCAN_MAX];
	size_t count = 0;

	if (!fleet->changed)
		return;
	fleet->changed = false;
	while (fleet->waiting.count && count < SCAN_MAX) {
		struct event event = event_queue_take(&fleet->waiting);
		struct host *host = find_host(fleet, &fleet->plan->tasks[event.number]);

		host = host ? host : start_host(fleet);
		if (host)
			begin(fleet, host, event.number);
		else
			passed[count++] = event;
	}
	while (count > 0) {
		count--;
		event_queue_put(&fleet->waiting, passed[count].key, passed[count].number);
	}
}

static struct host *host_of(struct fleet *fleet, size_t number)
{
	for (size_t i = 0; i < fleet->host_count; i++)
		if (fleet->hosts[i].number == number)
			return &fleet->hosts[i];
	return NULL;
}

static void stop(struct fleet *fleet, struct host *host)
{
	fleet->times->host_ns += fleet->now - host->started_at;
	*host = fleet->hosts[--fleet->host_count];
}

static void release_needs(struct fleet *fleet, size_t number)
{
	const struct fleet_plan *plan = fleet->plan;

	for (size_t i = fleet->next[number]; i < plan->need_count && plan->needs[i].from == number;
	     i++) {
		size_t to = plan->needs[i].to;

		fleet->ready[to] = fmax(fleet->ready[to], fleet->now + plan->tasks[to].lag_ns);
		if (--fleet->missing[to] == 0)
			event_queue_put(&fleet->events, fleet->ready[to], plan->task_count + to);
	}
}

/* What it held is summed up again from nothing where nothing is held: sums drift. */
static void end(struct fleet *fleet, size_t number)
{
	const struct fleet_task *task = &fleet->plan->tasks[number];
	struct host *host = host_of(fleet, fleet->times->hosts[number]);

	host->tasks--;
	host->cpus = host->tasks ? host->cpus - task->cpus : 0;
	host->memory_bytes = host->tasks ? host->memory_bytes - task->memory_bytes : 0;
	fleet->ended++;
	fleet->changed = true;
	release_needs(fleet, number);
	if (host->tasks)
		return;
	host->empty_since = fleet->now;
	event_queue_put(&fleet->events, fleet->now + fleet->all->idle_ns,
			2 * fleet->plan->task_count + host->number);
}

static void step(struct fleet *fleet)
{
	struct event event = event_queue_take(&fleet->events);
	size_t tasks = fleet->plan->task_count;
	struct host *host;

	fleet->now = event.key;
	if (event.number < tasks) {
		end(fleet, event.number);
	} else if (event.number < 2 * tasks) {
		event_queue_put(&fleet->waiting, fleet->now, event.number - tasks);
		fleet->changed = true;
	} else {
		host = host_of(fleet, event.number - 2 * tasks);
		if (host && !host->tasks && host->empty_since + fleet->all->idle_ns <= fleet->now) {
			stop(fleet, host);
			fleet->changed = true;
		}
	}
}

/* All that happens at an instant happens before tasks begin. */
static int run(struct fleet *fleet)
{
	const struct fleet_plan *plan = fleet->plan;
	size_t at = 0;

	for (size_t i = 0; i < plan->need_count; i++)
		fleet->missing[plan->needs[i].to]++;
	for (size_t i = 0; i < plan->task_count; i++) {
		while (at < plan->need_count && plan->needs[at].from < i)
			at++;
		fleet->next[i] = at;
		fleet->ready[i] = plan->tasks[i].ready_ns;
		if (!fleet->missing[i])
			event_queue_put(&fleet->events, fleet->ready[i], plan->task_count + i);
	}
	while (fleet->events.count) {
		double now = fleet->events.events[0].key;

		while (fleet->events.count && fleet->events.events[0].key <= now)
			step(fleet);
		begin_waiting(fleet);
	}
	return fleet->ended == plan->task_count ? 0 : -ELOOP;
}

/* Each task has an event when it is ready, at its end, and when its host may be stopped. */
static int make(struct fleet *fleet)
{
	size_t tasks = fleet->plan->task_count + 1;
	struct fleet_times *times = fleet->times;
	size_t most = fleet->all->most < tasks ? fleet->all->most : tasks;
	int rc = event_queue_make(&fleet->events, 3 * tasks);

	if (event_queue_make(&fleet->waiting, tasks))
		rc = -ENOMEM;
	fleet->hosts = calloc(most + 1, sizeof(*fleet->hosts));
	fleet->missing = calloc(tasks, sizeof(*fleet->missing));
	fleet->next = calloc(tasks, sizeof(*fleet->next));
	fleet->ready = calloc(tasks, sizeof(*fleet->ready));
	times->begins = calloc(tasks, sizeof(*times->begins));
	times->ends = calloc(tasks, sizeof(*times->ends));
	times->hosts = calloc(tasks, sizeof(*times->hosts));
	return fleet->hosts && fleet->missing && fleet->next && fleet->ready && times->begins &&
			       times->ends && times->hosts
		       ? rc
		       : -ENOMEM;
}

static void clear(struct fleet *fleet)
{
	event_queue_clear(&fleet->events);
	event_queue_clear(&fleet->waiting);
	free(fleet->hosts);
	free(fleet->missing);
	free(fleet->next);
	free(fleet->ready);
}

static bool fits(const struct fleet_plan *plan, const struct fleet_hosts *hosts)
{
	for (size_t i = 0; i < plan->task_count; i++)
		if (!(plan->tasks[i].cpus <= hosts->cpus * (1 + WHOLE)) ||
		    !(plan->tasks[i].memory_bytes <= hosts->memory_bytes))
			return false;
	return true;
}

int fleet_schedule(const struct fleet_plan *plan, const struct fleet_hosts *hosts,
		   struct fleet_times *ret)
{
	struct fleet_times times = { 0 };
	struct fleet fleet = { .plan = plan, .all = hosts, .times = &times };
	int rc;

	if (!fits(plan, hosts))
		return -ERANGE;
	rc = make(&fleet);
	if (rc == 0)
		rc = run(&fleet);
	clear(&fleet);
	if (rc)
		fleet_times_clear(&times);
	else
		*ret = times;
	return rc;
}

void fleet_times_clear(struct fleet_times *times)
{
	free(times->begins);
	free(times->ends);
	free(times->hosts);
	*times = (struct fleet_times){ 0 };
}
