/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "base/text.h"
#include "sweep/host/host_rest.h"
#include "sweep/host/host_subject.h"
#include "sweep/host/idle_workers.h"

/* Tasks that wait although hosts that could take them are idle. */

/* What is idle meanwhile: workers, or a part of the engine's own host. */
struct idle {
	size_t *hosts; /* indexes in the input */
	size_t count;
	int64_t since_at, nusd_hour; /* < 0: unknown */
	char *words;                 /* a sentence */
	const char *advice;
};

static bool is_overdue(const struct sweep_input *input, const struct sweep_queue *queue)
{
	return queue->tasks > 0 && queue->queued_at > 0 &&
	       input->now_at - queue->queued_at >= sweep_limit_ns(input, SWEEP_SLOTS_PATIENCE_S);
}

static bool is_exempted(const struct waste_finder *finder, const struct sweep_input *input,
			const struct sweep_queue *queue)
{
	const struct sweep_host *host = sweep_host_find(input, queue->host_id);
	const struct sweep_concerns concerns = {
		.kind = finder->name,
		.user = queue->user,
		.hostname = host ? host->hostname : NULL,
		.pipeline = queue->run_name,
		.tags = host ? host->tags : NULL,
	};

	return sweep_policy_exempts(input->policy, &concerns);
}

static void add_worker(const struct sweep_input *input, const struct idle_worker *worker,
		       struct idle *idle)
{
	int64_t nusd_hour = input->hosts[worker->host].nusd_hour;

	idle->hosts[idle->count++] = worker->host;
	if (idle->since_at == 0 || worker->since_at < idle->since_at)
		idle->since_at = worker->since_at;
	if (nusd_hour >= 0)
		idle->nusd_hour = nusd_hour + (idle->nusd_hour > 0 ? idle->nusd_hour : 0);
}

/* As many of the workers that hold one of the tasks as there are tasks. */
static int by_workers(const struct sweep_input *input, const struct sweep_queue *queue,
		      const struct idle_workers *workers, struct idle *ret)
{
	*ret = (struct idle){
		.nusd_hour = -1,
		.advice = "Look why the scheduler does not use them: a request that names other "
			  "nodes, a partition, a node that is drained (sinfo -R).",
	};
	ret->hosts = calloc(workers->count + 1, sizeof(*ret->hosts));
	if (!ret->hosts)
		return -ENOMEM;
	for (size_t i = 0; i < workers->count && ret->count < queue->tasks; i++) {
		const struct sweep_host *host = &input->hosts[workers->items[i].host];

		if (host->cpus >= queue->cpus && host->memory_bytes >= queue->memory_bytes)
			add_worker(input, &workers->items[i], ret);
	}
	if (ret->count == 0)
		return 0;
	ret->words =
		host_printf("%zu idle node%s (%s%s) could take %s.", ret->count,
			    ret->count == 1 ? "" : "s", host_name(&input->hosts[ret->hosts[0]]),
			    ret->count == 1 ? "" : ", …", ret->count == 1 ? "one" : "them");
	return ret->words ? 0 : -ENOMEM;
}

/* Whether CPUs and memory for one more task have been free. */
static bool has_room(const struct sweep_input *input, const struct sweep_host *host,
		     const struct sweep_queue *queue, const struct host_window *window)
{
	double cpus = queue->cpus > 0 ? queue->cpus : 1;
	double memory =
		queue->memory_bytes > 0
			? (double)queue->memory_bytes
			: (double)host->memory_bytes * (1 - sweep_limit(input, SWEEP_LOW_MEMORY));

	return window->covered >= sweep_limit(input, SWEEP_COVERED) &&
	       window->cpu < sweep_limit(input, SWEEP_SLOTS_CPU) &&
	       cpus <= host->cpus * (1 - window->cpu) && window->memory_peak >= 0 &&
	       memory <= (double)host->memory_bytes * (1 - window->memory_peak);
}

/* Further back, minute by minute, while most CPUs were idle; not before from_at. */
static int64_t room_since(const struct sweep_input *input, const struct sweep_host *host,
			  int64_t from_at, int64_t since_at)
{
	for (size_t i = host_minute_after(host, since_at); i > 0; i--) {
		const struct sweep_minute *minute = &host->minutes[i - 1];

		if (since_at - minute->at > 2 * HOST_MINUTE_NS ||
		    !(minute->cpu < sweep_limit(input, SWEEP_SLOTS_CPU)))
			break;
		since_at = minute->at;
		if (since_at <= from_at)
			return from_at;
	}
	return since_at;
}

/* The engine's own host: what an hour of its idle CPUs costs. */
static int by_engine(const struct sweep_input *input, const struct sweep_queue *queue,
		     struct idle *ret)
{
	const struct sweep_host *host = sweep_host_find(input, queue->host_id);
	struct host_window window;
	int64_t known_until, since_at;

	*ret = (struct idle){
		.nusd_hour = -1,
		.advice = "Let the engine run more tasks at once, or ask for as many CPUs as they "
			  "use.",
	};
	if (!host || host->by_design || !sweep_host_is_fresh(input, host))
		return 0;
	known_until = host_known_until(input, host);
	since_at = known_until - sweep_limit_ns(input, SWEEP_SLOTS_PATIENCE_S);
	host_window_make(host, since_at, known_until, &window);
	if (!has_room(input, host, queue, &window))
		return 0;
	ret->hosts = calloc(1, sizeof(*ret->hosts));
	ret->words = host_printf("%s has CPUs and memory for one: %.0f %% of its CPUs were busy.",
				 host_name(host), window.cpu * 100);
	if (!ret->hosts || !ret->words)
		return -ENOMEM;
	ret->hosts[ret->count++] = (size_t)(host - input->hosts);
	ret->since_at = room_since(input, host, queue->queued_at, since_at);
	if (host->nusd_hour >= 0)
		ret->nusd_hour = (int64_t)((double)host->nusd_hour * (1 - window.cpu));
	return 0;
}

static char *write_summary(const struct sweep_input *input, const struct sweep_queue *queue,
			   const struct idle *idle)
{
	char waited[32];

	text_duration((uint64_t)(input->now_at - queue->queued_at), waited, sizeof(waited));
	return host_printf("%zu task%s of %s wait%s, the first for %s. %s", queue->tasks,
			   queue->tasks == 1 ? "" : "s",
			   host_text_is_known(queue->run_name) ? queue->run_name : queue->run_id,
			   queue->tasks == 1 ? "s" : "", waited, idle->words);
}

static char *write_evidence(const struct sweep_queue *queue, const struct idle *idle)
{
	struct waste_evidence evidence;

	waste_evidence_begin(&evidence);
	waste_evidence_text(&evidence, "engine", queue->engine);
	waste_evidence_i64(&evidence, "tasks_waiting", (int64_t)queue->tasks);
	waste_evidence_i64(&evidence, "tasks_running", (int64_t)queue->running);
	waste_evidence_i64(&evidence, "queued_at", queue->queued_at);
	if (queue->task_limit > 0)
		waste_evidence_i64(&evidence, "task_limit", queue->task_limit);
	waste_evidence_number(&evidence, "cpus_requested", queue->cpus);
	waste_evidence_i64(&evidence, "memory_requested_bytes", (int64_t)queue->memory_bytes);
	waste_evidence_i64(&evidence, "idle_hosts", (int64_t)idle->count);
	return waste_evidence_end(&evidence);
}

/* Takes the texts and lists of idle. */
static int add(const struct waste_finder *finder, const struct sweep_input *input,
	       const struct sweep_queue *queue, struct idle *idle, struct wastes *ret)
{
	const struct sweep_host *first = &input->hosts[idle->hosts[0]];
	struct waste waste = {
		.subject = WASTE_RUN,
		.id = host_copy(queue->run_id),
		.name = host_copy(host_text_is_known(queue->run_name) ? queue->run_name
								      : queue->run_id),
		.host_id = host_copy(first->id),
		.run_id = host_copy(queue->run_id),
		.who = host_copy(queue->user),
		.since_at = idle->since_at > queue->queued_at ? idle->since_at : queue->queued_at,
		.nusd_hour = idle->nusd_hour,
		.confidence = CONFIDENCE_MEDIUM,
		.summary = write_summary(input, queue, idle),
		.evidence = write_evidence(queue, idle),
		.advice = host_copy(idle->advice),
		.hosts = idle->hosts,
		.host_count = idle->count,
	};

	idle->hosts = NULL;
	return waste_add(finder, input, waste, ret);
}

static int find_for(const struct waste_finder *finder, const struct sweep_input *input,
		    const struct sweep_queue *queue, const struct idle_workers *workers,
		    struct wastes *ret)
{
	struct idle idle = { 0 };
	int rc = 0;

	if (!is_overdue(input, queue) || is_exempted(finder, input, queue) ||
	    !host_text_is_known(queue->run_id))
		return 0;
	if (queue->waits_for == QUEUE_SLURM)
		rc = by_workers(input, queue, workers, &idle);
	else if (queue->waits_for == QUEUE_ENGINE)
		rc = by_engine(input, queue, &idle);
	if (rc == 0 && idle.count > 0)
		rc = add(finder, input, queue, &idle, ret);
	free(idle.hosts);
	free(idle.words);
	return rc;
}

static int find(const struct waste_finder *finder, const struct sweep_input *input,
		struct wastes *ret)
{
	struct idle_workers workers = { 0 };
	int rc = 0;

	if (input->queue_count > 0)
		rc = idle_workers_find(input, WORKER_SLURM,
				       sweep_limit_ns(input, SWEEP_SLOTS_PATIENCE_S), &workers);
	for (size_t i = 0; rc == 0 && i < input->queue_count; i++)
		rc = find_for(finder, input, &input->queues[i], &workers, ret);
	idle_workers_clear(&workers);
	return rc;
}

extern const struct waste_finder waste_slots_wait;
const struct waste_finder waste_slots_wait = {
	.name = "slots_wait",
	.title = "Tasks wait, hosts idle",
	.find = find,
};
