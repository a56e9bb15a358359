/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/agent/agent.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "collect/agent/agent_private.h"
#include "collect/container/container.h"
#include "collect/agent/memory.h"
#include "collect/agent/rights.h"
#include "collect/attribution/attributor.h"
#include "collect/cgroup/cgroup_follow.h"
#include "collect/host/untracked.h"
#include "collect/host/users.h"
#include "collect/output/outbox.h"
#include "collect/agent/rules_folder.h"
#include "collect/process/process_table.h"
#include "collect/process/tracker.h"
#include "collect/output/record.h"

#define POLL_NS             (500 * NS_PER_MS) /* the ring wakes the loop only beyond its threshold */
#define LEAVING_NS          (25 * NS_PER_MS)  /* how often it looks whether all has been sent */
#define POLL_RECORDS        4096              /* drained before the loop looks at anything else */
#define REST_AFTER_S        60
#define RESEND_NS           (60 * NS_PER_S) /* between two resends of all live processes */
#define STOP_NS             (3 * NS_PER_S)  /* to upload what is left */
#define UNTRACKED_INTERVALS 12 /* of samples, between two records of what is not tracked */
#define STOP_AWAY_NS        (500 * NS_PER_MS) /* of that, while the lake does not answer */

static uint64_t images(const struct agent *agent)
{
	return tracker_counts(agent->pipeline.tracker)->images;
}

/* All that is there goes to the spool, durably; then the marker may say so. */
static void flush(struct agent *agent)
{
	int64_t seen_until = clock_real_ns();

	pipeline_flush(&agent->pipeline);
	if (agent->spool)
		losses_take_spool(agent->outbox, agent->spool);
	outbox_flush(agent->outbox);
	early_flush_sent(&agent->early, images(agent), clock_boot_ns());
	if (!agent->spool)
		return;
	if (agent->to_spool.unsynced && spool_sync(agent->spool) == 0) {
		agent->to_spool.unsynced = false;
		uploader_wake(agent->uploader);
	}
	if (!agent->to_spool.unsynced)
		marker_beat(agent->marker, seen_until);
}

/* After the records of all live processes: what the lake holds as alive and did not get by then has
 * ended. */
static void send_scan(struct agent *agent, int64_t scanned_at)
{
	Signal__Scan scan = SIGNAL__SCAN__INIT;

	scan.scanned_at = scanned_at;
	pipeline_flush(&agent->pipeline);
	outbox_add(agent->outbox, &scan.base);
	flush(agent);
}

static uint64_t lost(const struct agent *agent)
{
	return spool_lost_batches(agent->spool) + outbox_counts(agent->outbox).lost_records;
}

/* What was in batches that were lost may be missing in the lake for good: that something began, and
 * runs for hours; that it ended. Once the lake has all that was not lost it gets the state of all
 * live processes again. A lake that rejects a batch may reject it again: not all the time. */
static void resend(struct agent *agent)
{
	uint64_t now_ns = clock_boot_ns();
	int64_t now;

	if (!agent->spool || lost(agent) == agent->resent_losses || spool_entries(agent->spool) ||
	    now_ns < agent->resend_after_ns)
		return;
	agent->resend_after_ns = now_ns + RESEND_NS;
	flush(agent);
	agent->resent_losses = lost(agent);
	now = clock_real_ns();
	pipeline_resend(&agent->pipeline);
	send_scan(agent, now);
	log_info("batches were lost; the state of all live processes was sent again");
}

static bool is_early_due(const struct agent *agent)
{
	return early_flush_is_due(&agent->early, images(agent), clock_boot_ns(),
				  agent->options->flush_interval_ns);
}

static void take_records(struct agent *agent)
{
	probe_poll(agent->probe, POLL_RECORDS);
	pipeline_drain(&agent->pipeline);
}

static void on_poll(evutil_socket_t fd, short what, void *context)
{
	static const struct timeval wait = { .tv_usec = EARLY_FLUSH_WAIT_NS / NS_PER_US };
	struct agent *agent = context;
	struct event *early = agent->events[AGENT_EARLY];

	take_records(agent);
	if (is_early_due(agent) && !evtimer_pending(early, NULL))
		evtimer_add(early, &wait);
}

/* By then the timer may have sent what was there. */
static void on_early(evutil_socket_t fd, short what, void *context)
{
	struct agent *agent = context;

	take_records(agent);
	if (!is_early_due(agent))
		return;
	agent->since_flush_ns = 0;
	flush(agent);
}

static void send_samples(struct agent *agent)
{
	agent->seconds = 0;
	agent_samples_host(agent);
	container_sample_all(agent->pipeline.containers);
	gpu_send_samples(agent->gpu);
	if (++agent->intervals == UNTRACKED_INTERVALS)
		agent_samples_untracked(agent);
	users_forget(agent->pipeline.users);
	memory_trim();
	if (agent_host_is_due(agent))
		agent_host_send(agent, 0);
}

/* Tracepoints of system calls are for tracked work, and slow down every system call of the host. */
static void detach_when_idle(struct agent *agent)
{
	bool lives = process_table_work(agent->pipeline.processes);

	agent->idle_seconds = lives ? 0 : agent->idle_seconds + 1;
	if (agent->idle_seconds >= REST_AFTER_S)
		probe_detach_syscall_tracepoint(agent->probe);
}

/* After pipeline_tick, which sees that the wall clock was set. */
static void follow_clock(struct agent *agent)
{
	int64_t step_ns = agent->pipeline.clock.stepped_ns - agent->stepped_ns;

	agent->stepped_ns += step_ns;
	agent->sampled_at += step_ns;
	agent->host_sent_at += step_ns;
	agent->losses.checked_at += step_ns;
}

static void second(struct agent *agent)
{
	bool send = ++agent->seconds * NS_PER_S >= (int64_t)agent->options->sample_interval_ns;

	pipeline_tick(&agent->pipeline, agent->probe, send);
	detach_when_idle(agent);
	follow_clock(agent);
	gpu_tick(agent->gpu);
	metadata_tick(agent->metadata, clock_boot_ns());
	losses_check(&agent->losses, &agent->pipeline, agent->probe, agent->spool);
	if (send)
		send_samples(agent);
}

/* The period of the timer: an even part of the interval of a flush. */
static int64_t period_ns(const struct agent *agent)
{
	int64_t flush_ns = (int64_t)agent->options->flush_interval_ns;

	return flush_ns / ((flush_ns + POLL_NS - 1) / POLL_NS);
}

/* One timer for all: to wake up is most of what an idle agent costs. */
static void on_time(evutil_socket_t fd, short what, void *context)
{
	struct agent *agent = context;

	agent->since_second_ns += period_ns(agent);
	agent->since_flush_ns += period_ns(agent);
	on_poll(fd, what, agent);
	attributor_look_for_names(agent->pipeline.attributor);
	if (agent->since_second_ns >= NS_PER_S) {
		agent->since_second_ns -= NS_PER_S;
		second(agent);
	}
	if (agent->since_flush_ns >= (int64_t)agent->options->flush_interval_ns) {
		agent->since_flush_ns = 0;
		resend(agent);
		flush(agent);
	}
}

/* The kernel's names first: they can be refused. The tree may point into the rules of before: those
 * stay until the end. */
static int use_rules(struct agent *agent, struct rules *rules, struct error *err)
{
	struct probe_names names;
	int result;

	names.tracked_count = rules_names(rules, &names.tracked);
	if (follow_is_only(agent->options->track))
		names.tracked_count = 0;
	names.excluded_count = rules_excluded(rules, &names.excluded);
	result = probe_set_names(agent->probe, &names, err);
	if (result < 0)
		return result;
	tree_set_rules(agent->pipeline.tree, rules);
	rules_free(agent->rules);
	agent->rules = rules;
	return 0;
}

/* New rules only when all of them are right; what runs keeps the name that it has. */
static void on_reload(evutil_socket_t fd, short what, void *context)
{
	struct agent *agent = context;
	struct rules *rules = NULL;
	struct error err = { 0 };

	if (rules_folder_load(&rules, agent->options->rules_folder, &err) < 0 ||
	    use_rules(agent, rules, &err) < 0) {
		log_error("the rules stay as they were: %s", error_text(&err));
		rules_free(rules);
		return;
	}
	log_info("rules read again");
}

static void on_stop(evutil_socket_t fd, short what, void *context)
{
	struct agent *agent = context;

	event_base_loopbreak(agent->base);
}

static int add_timer(struct agent *agent, int event, int64_t ns, event_callback_fn call)
{
	const struct timeval every = { .tv_sec = ns / NS_PER_S,
				       .tv_usec = ns % NS_PER_S / NS_PER_US };

	agent->events[event] = event_new(agent->base, -1, EV_PERSIST, call, agent);
	return agent->events[event] ? event_add(agent->events[event], &every) : -1;
}

static int add_fd(struct agent *agent, int event, int fd, short what, event_callback_fn call)
{
	agent->events[event] = event_new(agent->base, fd, what | EV_PERSIST, call, agent);
	return agent->events[event] ? event_add(agent->events[event], NULL) : -1;
}

static int add_events(struct agent *agent, struct error *err)
{
	agent->events[AGENT_EARLY] = evtimer_new(agent->base, on_early, agent);
	if (!agent->events[AGENT_EARLY] ||
	    add_fd(agent, AGENT_RING, probe_fd(agent->probe), EV_READ, on_poll) < 0 ||
	    add_timer(agent, AGENT_POLL, period_ns(agent), on_time) < 0 ||
	    add_fd(agent, AGENT_SIGNALS, SIGTERM, EV_SIGNAL, on_stop) < 0 ||
	    add_fd(agent, AGENT_SIGNALS + 1, SIGINT, EV_SIGNAL, on_stop) < 0 ||
	    add_fd(agent, AGENT_SIGNALS + 2, SIGHUP, EV_SIGNAL, on_reload) < 0)
		return error_set(err, -ENOMEM, "cannot make the loop's events");
	return 0;
}

/* The host, the time in which no agent watched it, all that runs, and then: this was all. */
static int begin(struct agent *agent, struct error *err)
{
	int64_t scanned_at;
	int found;

	agent_host_send(agent, 0);
	if (agent->previous.alive_at)
		record_loss(agent->outbox, "agent", 0, agent->previous.alive_at,
			    agent->previous.rebooted ? "the host went down"
						     : "the agent was killed");
	host_read(agent->host, &agent->host_before);
	agent->sampled_at = agent->pipeline.clock.read_at = scanned_at =
		agent_clock_now(&agent->pipeline.clock);
	found = pipeline_scan(&agent->pipeline, agent->probe, err);
	if (found < 0)
		return found;
	metadata_tick(agent->metadata, clock_boot_ns());
	agent_samples_untracked(agent);
	send_scan(agent, scanned_at);
	if (agent->spool)
		agent->resent_losses = lost(agent);
	log_info("watching; %d processes found", found);
	return 0;
}

static void watch_upload(evutil_socket_t fd, short what, void *context)
{
	struct agent *agent = context;
	struct uploader_status status;

	uploader_status(agent->uploader, &status);
	if (spool_entries(agent->spool) == 0 ||
	    (clock_real_ns() - agent->sampled_at > STOP_AWAY_NS &&
	     (status.state == UPLOADER_WAITING || status.state == UPLOADER_REFUSED)))
		event_base_loopbreak(agent->base);
}

/* The last of everything, then detached, then delivered as far as the lake takes it soon. */
static void stop(struct agent *agent)
{
	const struct timeval limit = { .tv_sec = STOP_NS / NS_PER_S };
	const bool audit = agent->options->audit;

	agent->stopping = true;
	for (int i = 0; i < AGENT_SIGNALS; i++)
		event_del(agent->events[i]);
	pipeline_tick(&agent->pipeline, agent->probe, true);
	follow_clock(agent);
	agent_samples_untracked(agent);
	losses_check(&agent->losses, &agent->pipeline, agent->probe, agent->spool);
	agent_samples_host(agent);
	container_sample_all(agent->pipeline.containers);
	gpu_send_samples(agent->gpu);
	agent_host_send(agent, clock_real_ns());
	flush(agent);
	gpu_stop(agent->gpu);
	pipeline_set_probe(&agent->pipeline, NULL);
	probe_close(TAKE_PTR(agent->probe), false);
	if (audit)
		return;
	marker_remove(agent->marker);
	event_free(agent->events[AGENT_POLL]);
	add_timer(agent, AGENT_POLL, LEAVING_NS, watch_upload);
	event_base_loopexit(agent->base, &limit);
	event_base_dispatch(agent->base);
	log_info("stopped; %llu batches wait for the lake",
		 (unsigned long long)spool_entries(agent->spool));
}

int agent_run(const struct agent_options *options, struct error *err)
{
	struct agent agent = { 0 };
	int result = agent_open(&agent, options, err);

	if (result == 0)
		result = add_events(&agent, err);
	if (result == 0)
		result = begin(&agent, err);
	if (result == 0)
		result = rights_drop(err);
	if (result == 0) {
		memory_settle();
		event_base_dispatch(agent.base);
		stop(&agent);
	}
	agent_close(&agent);
	return result;
}
