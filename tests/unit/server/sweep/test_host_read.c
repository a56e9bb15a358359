/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "lake/store/store.h"
#include "new_store.h"
#include "server/server.h"
#include "server/sweep/host_cache.h"
#include "server/sweep/host_read.h"

/* Sweeps read what hosts did once, and then what came since: late or not. */

#define T0       INT64_C(1767225600000000000) /* 2026-01-01T00:00:00Z */
#define S        INT64_C(1000000000)
#define MINUTE   (60 * S)
#define HOUR     (60 * MINUTE)
#define SAMPLES  2000
#define CPUS     4
#define HALF_GIB (UINT64_C(1) << 29)

static struct server server;
static char folder[] = "/tmp/tracer-host-read-XXXXXX";
static uint64_t sequence;

static Signal__HostSample *sample_of(Signal__HostSample *sample, int64_t at, double cpu)
{
	signal__host_sample__init(sample);
	sample->since_at = at;
	sample->until_at = at + MINUTE - S;
	sample->cpu_user_ns = (uint64_t)(cpu * CPUS * (double)MINUTE);
	sample->cpu_idle_ns = (uint64_t)((1 - cpu) * CPUS * (double)MINUTE);
	sample->memory_used_bytes = HALF_GIB;
	sample->memory_available_bytes = HALF_GIB;
	sample->net_rx_bytes = 59 * 1000;
	return sample;
}

/* A host's record, and a sample each minute from `begin` to `end` (minutes after T0). */
static void send_minutes(char *host_id, int begin, int end, double cpu)
{
	static Signal__HostSample samples[SAMPLES], *list[SAMPLES];
	Signal__Host host = SIGNAL__HOST__INIT, *hosts[] = { &host };
	Signal__Label tag = SIGNAL__LABEL__INIT, *tags[] = { &tag };
	Signal__Batch batch = SIGNAL__BATCH__INIT;
	struct error err = { "" };
	bool duplicate;
	size_t count = 0;

	for (int i = begin; i < end; i++, count++)
		list[count] = sample_of(&samples[count], T0 + i * MINUTE, cpu);
	host.hostname = host_id;
	host.cpus = CPUS;
	host.memory_bytes = 2 * HALF_GIB;
	host.price_usd_hour = 0.5;
	host.provider = "aws";
	host.region = "us-east-1";
	host.instance_type = "m6i.xlarge";
	host.purchase = "on_demand";
	tag.key = "tracer:idle";
	tag.value = "by-design";
	host.n_tags = strcmp(host_id, "head") == 0;
	host.tags = tags;
	batch.host_id = batch.agent_id = host_id;
	batch.boot_id = "boot";
	batch.sequence = ++sequence;
	batch.created_at = T0 + end * MINUTE;
	batch.n_hosts = 1;
	batch.hosts = hosts;
	batch.n_host_samples = count;
	batch.host_samples = list;
	if (store_ingest(server.store, &batch, &duplicate, &err))
		fail_msg("%s", err.text);
}

static void read_at(int minute, struct sweep_hosts *ret)
{
	struct error err = { "" };

	if (sweep_hosts_read(&server, T0 + minute * MINUTE, ret, &err))
		fail_msg("%s", err.text);
}

static const struct sweep_host *host(const struct sweep_hosts *hosts, const char *id)
{
	for (size_t i = 0; i < hosts->count; i++)
		if (strcmp(hosts->hosts[i].id, id) == 0)
			return &hosts->hosts[i];
	fail_msg("there is no host %s", id);
	return NULL;
}

static size_t minutes(int now, const char *id)
{
	struct sweep_hosts hosts;
	size_t count;

	read_at(now, &hosts);
	count = host(&hosts, id)->minute_count;
	sweep_hosts_clear(&hosts);
	return count;
}

static int begin(void **state)
{
	char path[64];
	struct store_options options = { .path = path };
	struct error err = { "" };

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/tracer.duckdb", folder);
	new_store_copy(path);
	if (store_open(&server.store, &options, &err))
		fail_msg("%s", err.text);
	server.host_cache = host_cache_new();
	send_minutes("head", 0, 150, 0.02);
	send_minutes("node", 0, 100, 0.5);
	return 0;
}

static int end(void **state)
{
	(void)state;
	host_cache_free(server.host_cache);
	store_close(server.store);
	file_remove_tree(folder);
	return 0;
}

static void a_host_has_its_facts_prices_minutes_and_complete_hours(void **state)
{
	const struct sweep_host *node;
	struct sweep_hosts hosts;

	(void)state;
	read_at(150, &hosts);
	assert_int_equal(hosts.count, 2);
	assert_true(host(&hosts, "head")->by_design);
	node = host(&hosts, "node");
	assert_false(node->by_design);
	assert_int_equal(node->nusd_hour, 500000000);
	assert_true(node->spot_nusd_hour > 0 && node->smaller_nusd_hour > node->spot_nusd_hour / 2);
	assert_string_equal(node->smaller_type, "m6i.large");
	assert_int_equal(node->up_since, T0);
	assert_int_equal(node->seen_at, T0 + 100 * MINUTE - S);
	assert_int_equal(node->used_until, 0);
	assert_int_equal(node->minute_count, 100);
	assert_int_equal(node->minutes[99].at, T0 + 99 * MINUTE);
	assert_float_equal(node->minutes[7].cpu, 0.5, 1e-6);
	assert_float_equal(node->minutes[7].memory, 0.5, 1e-6);
	assert_float_equal(node->minutes[7].net_bytes_s, 1000, 1e-3);
	assert_int_equal(node->hour_count, 2);
	assert_float_equal(node->hours[1].known_s, 40 * 59, 1e-3);
	assert_float_equal(node->hours[0].cpu_peak, 0.5, 1e-6);
	sweep_hosts_clear(&hosts);
}

/* A GPU that computed in the first half, and an open shell. */
static void send_parts(char *host_id)
{
	Signal__Gpu gpu = SIGNAL__GPU__INIT, *gpus[] = { &gpu };
	Signal__GpuSample samples[2] = { SIGNAL__GPU_SAMPLE__INIT, SIGNAL__GPU_SAMPLE__INIT };
	Signal__GpuSample *list[] = { &samples[0], &samples[1] };
	Signal__Run run = SIGNAL__RUN__INIT, *runs[] = { &run };
	Signal__Batch batch = SIGNAL__BATCH__INIT;
	struct error err = { "" };
	bool duplicate;

	gpu.uuid = "GPU-1";
	gpu.name = "NVIDIA T4";
	gpu.seen_at = T0;
	for (int i = 0; i < 2; i++) {
		samples[i].uuid = gpu.uuid;
		samples[i].since_at = T0 + i * 50 * MINUTE;
		samples[i].until_at = samples[i].since_at + 50 * MINUTE;
		samples[i].busy_known_ns = 50 * MINUTE;
		samples[i].busy_ns = i ? 0 : 40 * MINUTE;
	}
	run.run_id = "shell";
	run.engine = "session";
	run.status = "running";
	run.user = "ann";
	run.pid = 7;
	run.started_at = T0 + 10 * MINUTE;
	batch.host_id = batch.agent_id = host_id;
	batch.boot_id = "boot";
	batch.sequence = ++sequence;
	batch.created_at = T0 + 100 * MINUTE;
	batch.n_gpus = batch.n_runs = 1;
	batch.gpus = gpus;
	batch.runs = runs;
	batch.n_gpu_samples = 2;
	batch.gpu_samples = list;
	if (store_ingest(server.store, &batch, &duplicate, &err))
		fail_msg("%s", err.text);
}

static void a_host_has_its_gpus_and_open_sessions(void **state)
{
	const struct sweep_host *node;
	struct sweep_hosts hosts;

	(void)state;
	send_parts("node");
	read_at(150, &hosts);
	node = host(&hosts, "node");
	assert_int_equal(host(&hosts, "head")->gpu_count, 0);
	assert_int_equal(node->gpu_count, 1);
	assert_string_equal(node->gpus[0].name, "NVIDIA T4");
	assert_true(node->gpus[0].known && !node->gpus[0].reserved);
	assert_int_equal(node->gpus[0].since_at, T0);
	assert_int_equal(node->gpus[0].busy_until, T0 + 50 * MINUTE);
	assert_in_range(node->gpus[0].nusd_hour, 1, 499999999);
	assert_int_equal(hosts.session_count, 1);
	assert_string_equal(hosts.sessions[0].user, "ann");
	assert_int_equal(hosts.sessions[0].known_until, node->seen_at);
	assert_int_equal(hosts.sessions[0].memory_bytes, -1);
	assert_int_equal(hosts.queue_count, 0);
	sweep_hosts_clear(&hosts);
}

static void what_comes_late_is_seen_by_the_next_sweep(void **state)
{
	(void)state;
	assert_int_equal(minutes(160, "node"), 100);
	send_minutes("node", 100, 120, 0.5);
	assert_int_equal(minutes(170, "node"), 120);
}

static void a_host_that_was_not_known_is_read_whole(void **state)
{
	(void)state;
	assert_int_equal(minutes(300, "node"), 120);
	send_minutes("far", 10, 290, 0.5);
	assert_int_equal(minutes(301, "far"), 280);
}

static void an_instant_long_ago_is_answered_as_it_was(void **state)
{
	(void)state;
	assert_int_equal(minutes(301, "node"), 120);
	assert_int_equal(minutes(30, "node"), 30);
	assert_int_equal(minutes(302, "node"), 120);
}

static void what_is_older_than_six_hours_is_not_held(void **state)
{
	(void)state;
	send_minutes("node", 400, 410, 0.5);
	assert_int_equal(minutes(410, "node"), 120 - 50 + 10);
}

static void a_host_that_is_up_no_more_does_not_have_all_read_again(void **state)
{
	(void)state;
	assert_int_equal(minutes(600, "head"), 0);
	send_minutes("node", 420, 430, 0.5);
	assert_int_equal(minutes(601, "node"), 10);
	assert_int_equal(minutes(661, "node"), 20); /* of an hour later, all is */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_has_its_facts_prices_minutes_and_complete_hours),
		cmocka_unit_test(a_host_has_its_gpus_and_open_sessions),
		cmocka_unit_test(what_comes_late_is_seen_by_the_next_sweep),
		cmocka_unit_test(a_host_that_was_not_known_is_read_whole),
		cmocka_unit_test(an_instant_long_ago_is_answered_as_it_was),
		cmocka_unit_test(what_is_older_than_six_hours_is_not_held),
		cmocka_unit_test(a_host_that_is_up_no_more_does_not_have_all_read_again),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
