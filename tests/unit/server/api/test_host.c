/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/clock.h"
#include "fixture_batch.h"

static struct lake lake;

static int start(void **state)
{
	return example_serve(&lake, NULL);
}

static int stop(void **state)
{
	return lake_end(&lake);
}

/* Posts the host alone, as of now; the sequence is the next one. */
static void post_host(uint64_t sequence, char *provider, char *region, char *type, double price)
{
	struct example example;

	example_make(&example, sequence);
	example.host.provider = provider;
	example.host.region = region;
	example.host.instance_type = type;
	example.host.price_usd_hour = price;
	assert_int_equal(example_post(&lake, &example, NULL), 200);
}

static void expect_price(const char *source, double usd_hour)
{
	json_t *json = lake_get(&lake, "/api/v1/hosts", 200);
	const json_t *host = json_array_get(json_object_get(json, "hosts"), 0);
	const json_t *price = json_object_get(host, "price_usd_hour");

	assert_int_equal(json_array_size(json_object_get(json, "hosts")), 1);
	if (!source) {
		assert_true(json_is_null(price));
		assert_true(json_is_null(json_object_get(host, "price_source")));
	} else {
		assert_non_null(
			strstr(json_string_value(json_object_get(host, "price_source")), source));
		if (usd_hour > 0)
			assert_true(json_number_value(price) == usd_hour);
		assert_true(json_number_value(price) > 0);
	}
	json_decref(json);
}

static void expect_cost(bool known)
{
	json_t *run = lake_get(&lake, "/api/v1/runs/latest", 200);
	json_t *cost = lake_get(&lake, "/api/v1/cost?days=1", 200);

	assert_int_equal(json_is_object(json_object_get(run, "cost")), known);
	assert_int_equal(
		json_is_number(json_object_get(json_object_get(run, "totals"), "cost_usd")), known);
	assert_int_equal(json_is_number(json_object_get(cost, "whole_usd")), known);
	assert_int_equal(json_integer_value(json_object_get(cost, "unpriced_hosts")), !known);
	json_decref(run);
	json_decref(cost);
}

static void the_price_is_the_configured_one_else_the_catalogues_else_unknown(void **state)
{
	expect_price("configured", 0.4);
	expect_cost(true);
	post_host(2, "aws", "us-east-1", "m5.large", 0);
	expect_price("aws", 0);
	expect_cost(true);
	post_host(3, "aws", "us-east-1", "m5.large", 1.25);
	expect_price("configured", 1.25);
	post_host(4, "", "", "", 0);
	expect_price(NULL, 0);
	expect_cost(false);
	post_host(5, "", "", "", 0.4);
	expect_price("configured", 0.4);
}

static void a_host_has_its_facts_and_samples(void **state)
{
	json_t *json = lake_get(&lake, "/api/v1/hosts/node-1", 200);
	json_t *by_id = lake_get(&lake, "/api/v1/hosts/" EXAMPLE_HOST "?hours=1", 200);
	const json_t *samples = json_object_get(json, "samples"), *row;
	json_int_t cpu_ns = 0;
	size_t i;

	assert_string_equal(json_string_value(json_object_get(json, "id")), EXAMPLE_HOST);
	assert_string_equal(json_string_value(json_object_get(json, "status")), "up");
	assert_int_equal(json_integer_value(json_object_get(json, "cpus")), 4);
	assert_true(json_array_size(samples) >= 2);
	json_array_foreach(samples, i, row) cpu_ns +=
		json_integer_value(json_object_get(row, "cpu_user_ns"));
	assert_true(cpu_ns >= 800 * NS_PER_S);
	assert_string_equal(json_string_value(json_object_get(by_id, "id")), EXAMPLE_HOST);
	json_decref(json);
	json_decref(by_id);
	json_decref(lake_get(&lake, "/api/v1/hosts/node-1?hours=0", 400));
}

/* A batch with one GPU and, a minute ago, as the example's run ended, one sample of it. */
static void post_gpu(uint64_t sequence)
{
	struct example example;
	Signal__Gpu gpu = SIGNAL__GPU__INIT, *gpus[] = { &gpu };
	Signal__GpuSample sample = SIGNAL__GPU_SAMPLE__INIT, *samples[] = { &sample };

	example_make(&example, sequence);
	gpu.uuid = sample.uuid = (char[]){ "GPU-1" };
	gpu.name = (char[]){ "NVIDIA H200" };
	gpu.memory_bytes = 1000;
	sample.until_at = example.began_at + (EXAMPLE_WALL_S - 1) * NS_PER_S;
	sample.since_at = sample.until_at - 5 * NS_PER_S;
	sample.busy_ns = 2 * NS_PER_S;
	sample.busy_known_ns = 5 * NS_PER_S;
	sample.throttle_reasons = (char[]){ "power_cap" };
	example.batch.gpus = gpus;
	example.batch.n_gpus = 1;
	example.batch.gpu_samples = samples;
	example.batch.n_gpu_samples = 1;
	assert_int_equal(example_post(&lake, &example, NULL), 200);
}

static void a_host_has_its_gpus_and_what_they_did(void **state)
{
	json_t *json = lake_get(&lake, "/api/v1/hosts/node-1", 200);
	const json_t *gpu, *sample;

	assert_int_equal(json_array_size(json_object_get(json, "gpus")), 0);
	assert_int_equal(json_array_size(json_object_get(json, "gpu_samples")), 0);
	json_decref(json);
	post_gpu(6);
	json = lake_get(&lake, "/api/v1/hosts/node-1", 200);
	gpu = json_array_get(json_object_get(json, "gpus"), 0);
	assert_string_equal(json_string_value(json_object_get(gpu, "name")), "NVIDIA H200");
	assert_int_equal(json_integer_value(json_object_get(gpu, "memory_bytes")), 1000);
	assert_true(json_is_null(json_object_get(gpu, "gone_at")));
	sample = json_array_get(json_object_get(json, "gpu_samples"), 0);
	assert_string_equal(json_string_value(json_object_get(sample, "uuid")), "GPU-1");
	assert_int_equal(json_integer_value(json_object_get(sample, "busy_ns")), 2 * NS_PER_S);
	assert_true(json_is_null(json_object_get(sample, "power_mean_mw")));
	assert_true(json_is_string(json_object_get(sample, "since_at")));
	assert_string_equal(
		json_string_value(json_array_get(json_object_get(sample, "throttle_reasons"), 0)),
		"power_cap");
	json_decref(json);
}

static void a_run_has_the_gpus_of_its_hosts_while_it_lasted(void **state)
{
	json_t *json = lake_get(&lake, "/api/v1/runs/latest/gpus", 200);
	const json_t *gpu = json_array_get(json_object_get(json, "gpus"), 0);
	const json_t *sample = json_array_get(json_object_get(json, "gpu_samples"), 0);

	assert_int_equal(json_array_size(json_object_get(json, "gpus")), 1);
	assert_int_equal(json_array_size(json_object_get(json, "gpu_samples")), 1);
	assert_string_equal(json_string_value(json_object_get(gpu, "host")), "node-1");
	assert_string_equal(json_string_value(json_object_get(gpu, "uuid")), "GPU-1");
	assert_string_equal(json_string_value(json_object_get(sample, "host_id")), EXAMPLE_HOST);
	assert_int_equal(json_integer_value(json_object_get(sample, "busy_ns")), 2 * NS_PER_S);
	assert_true(json_is_string(json_object_get(sample, "until_at")));
	assert_true(json_integer_value(json_object_get(json, "interval_s")) >= 1);
	json_decref(json);
	json_decref(lake_get(&lake, "/api/v1/runs/nope/gpus", 404));
}

static void put_untracked(Signal__Untracked *record, char *kind, char *path, int64_t cpu_ns)
{
	*record = (Signal__Untracked)SIGNAL__UNTRACKED__INIT;
	record->since_at = clock_real_ns() - 60 * NS_PER_S;
	record->until_at = clock_real_ns();
	record->kind = kind;
	record->path = path;
	record->cgroups = *path != '\0';
	record->cpu_ns = cpu_ns;
}

/* Twice the same interval's parts; of one cgroup also memory. */
static void post_untracked(uint64_t sequence)
{
	struct example example;
	Signal__Untracked parts[5], *list[5];

	example_make(&example, sequence);
	put_untracked(&parts[0], (char[]){ "cgroup" }, (char[]){ "/small" }, NS_PER_S);
	put_untracked(&parts[1], (char[]){ "cgroup" }, (char[]){ "/large" }, 5 * NS_PER_S);
	put_untracked(&parts[2], (char[]){ "more" }, (char[]){ "" }, NS_PER_S);
	put_untracked(&parts[3], (char[]){ "tracked" }, (char[]){ "" }, 4 * NS_PER_S);
	put_untracked(&parts[4], (char[]){ "rest" }, (char[]){ "" }, -NS_PER_S);
	parts[1].memory_bytes = 1 << 20;
	parts[1].memory_known = true;
	parts[2].cgroups = 7;
	for (int i = 0; i < 5; i++)
		list[i] = &parts[i];
	example.batch.untracked = list;
	example.batch.n_untracked = 5;
	assert_int_equal(example_post(&lake, &example, NULL), 200);
}

static const json_t *part(const json_t *json, size_t i, const char *kind, const char *path)
{
	const json_t *row = json_array_get(json_object_get(json, "untracked"), i);

	assert_string_equal(json_string_value(json_object_get(row, "kind")), kind);
	if (path)
		assert_string_equal(json_string_value(json_object_get(row, "path")), path);
	return row;
}

static void a_hosts_time_is_told_by_whose_it_was(void **state)
{
	json_t *json = lake_get(&lake, "/api/v1/hosts/node-1/untracked", 200);
	const json_t *row;

	assert_int_equal(json_array_size(json_object_get(json, "untracked")), 0);
	json_decref(json);
	post_untracked(7);
	post_untracked(8);
	json = lake_get(&lake, "/api/v1/hosts/node-1/untracked?hours=1", 200);
	assert_int_equal(json_array_size(json_object_get(json, "untracked")), 5);
	row = part(json, 0, "tracked", NULL);
	assert_int_equal(json_integer_value(json_object_get(row, "cpu_ns")), 8 * NS_PER_S);
	assert_true(json_number_value(json_object_get(row, "share")) == 8 / 22.0);
	assert_int_equal(json_integer_value(json_object_get(row, "difference_ns")), 0);
	row = part(json, 1, "rest", NULL);
	assert_int_equal(json_integer_value(json_object_get(row, "cpu_ns")), 0);
	assert_int_equal(json_integer_value(json_object_get(row, "difference_ns")), 2 * NS_PER_S);
	assert_true(json_number_value(json_object_get(row, "share")) == 0);
	assert_true(json_is_null(json_object_get(row, "memory_bytes")));
	row = part(json, 2, "more", NULL);
	assert_int_equal(json_integer_value(json_object_get(row, "cgroups")), 7);
	row = part(json, 3, "cgroup", "/large");
	assert_int_equal(json_integer_value(json_object_get(row, "cpu_ns")), 10 * NS_PER_S);
	assert_int_equal(json_integer_value(json_object_get(row, "memory_bytes")), 1 << 20);
	part(json, 4, "cgroup", "/small");
	json_decref(json);
	json = lake_get(&lake, "/api/v1/hosts/node-1/untracked?limit=1", 200);
	assert_int_equal(json_array_size(json_object_get(json, "untracked")), 1);
	json_decref(json);
	json_decref(lake_get(&lake, "/api/v1/hosts/nobody/untracked", 404));
	json_decref(lake_get(&lake, "/api/v1/hosts/node-1/untracked?hours=0", 400));
}

static void metrics_say_of_programs(const char *expected)
{
	struct answer answer;
	const char *found;

	lake_ask(&lake, "GET", "/metrics", lake.read, NULL, NULL, 0, &answer);
	assert_int_equal(answer.status, 200);
	found = strstr(answer.body.data, "\ntracer_agent_programs_cpu_ratio{");
	if (expected)
		assert_true(found && strncmp(found, expected, strlen(expected)) == 0);
	else
		assert_null(found);
	answer_clear(&answer);
}

static void expect_programs_ns(json_int_t expected)
{
	json_t *json = lake_get(&lake, "/api/v1/hosts/node-1", 200);
	const json_t *samples = json_object_get(json, "samples"), *row, *ns;
	json_int_t sum = 0;
	size_t i;

	ns = json_object_get(json, "agent_programs_ns");
	assert_true(expected ? json_integer_value(ns) == expected : json_is_null(ns));
	json_array_foreach(samples, i, row)
	{
		ns = json_object_get(row, "agent_programs_ns");
		assert_true(json_is_null(ns) || json_integer_value(ns) > 0);
		sum += json_integer_value(ns);
	}
	assert_int_equal(sum, expected);
	json_decref(json);
}

/* Where the kernel does not count it, it is unknown and not zero. */
static void the_time_of_an_agents_programs_is_told_where_it_was_counted(void **state)
{
	struct example example;
	Signal__HostSample *last = &example.host_samples[1];

	expect_programs_ns(0);
	metrics_say_of_programs(NULL);
	example_make(&example, 9);
	last->until_at = clock_real_ns();
	last->since_at = last->until_at - 300 * NS_PER_S;
	last->agent_programs_ns = 3 * NS_PER_S;
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	expect_programs_ns(3 * NS_PER_S);
	metrics_say_of_programs("\ntracer_agent_programs_cpu_ratio{host=\"node-1\"} 0.01\n");
}

static void waste_says_how_long_each_host_was_up_and_used(void **state)
{
	json_t *json = lake_get(&lake, "/api/v1/waste?days=1", 200);
	const json_t *host = json_array_get(json_object_get(json, "hosts"), 0);
	double up_s = json_number_value(json_object_get(host, "up_s"));
	double tracked_s = json_number_value(json_object_get(host, "tracked_s"));
	double idle_s = json_number_value(json_object_get(host, "idle_s"));

	assert_true(json_is_array(json_object_get(json, "findings")));
	assert_string_equal(json_string_value(json_object_get(host, "hostname")), "node-1");
	assert_true(up_s >= EXAMPLE_WALL_S);
	assert_true(tracked_s >= EXAMPLE_WALL_S - 1);
	assert_true(up_s == tracked_s + idle_s);
	json_decref(json);
}

/* The count of losses of a host with this reason; *ret_until_at is when the last was. */
static json_int_t lost_for(const json_t *host, const char *what, const char *why,
			   const char **ret_until_at)
{
	const json_t *loss;
	size_t i;

	json_array_foreach(json_object_get(host, "losses"), i, loss)
	{
		*ret_until_at = json_string_value(json_object_get(loss, "until_at"));
		if (strcmp(json_string_value(json_object_get(loss, "what")), what) == 0 &&
		    strcmp(json_string_value(json_object_get(loss, "why")), why) == 0)
			return json_integer_value(json_object_get(loss, "count"));
	}
	return -1;
}

static void what_was_lost_or_kept_out_of_a_host_is_told_with_the_reason(void **state)
{
	const char *until_at = NULL, *kept_out_at = NULL;
	const json_t *host;
	struct example example;
	json_t *json;

	example_make(&example, 900);
	example.host.cpus = 4000000000;
	example.batch.n_losses = 0;
	assert_int_equal(example_post(&lake, &example, NULL), 200);
	json = lake_get(&lake, "/api/v1/hosts", 200);
	host = json_array_get(json_object_get(json, "hosts"), 0);
	assert_true(lost_for(host, "samples", "ring full", &until_at) >= 5);
	assert_int_equal(lost_for(host, "hosts", "rejected: fewer than 0 or more than 65,536 CPUs",
				  &kept_out_at),
			 1);
	assert_int_equal(strlen(until_at), strlen("2026-01-01T00:00:00.000000Z"));
	assert_true(strcmp(until_at, kept_out_at) < 0);
	json_decref(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_has_its_facts_and_samples),
		cmocka_unit_test(waste_says_how_long_each_host_was_up_and_used),
		cmocka_unit_test(the_price_is_the_configured_one_else_the_catalogues_else_unknown),
		cmocka_unit_test(a_host_has_its_gpus_and_what_they_did),
		cmocka_unit_test(a_run_has_the_gpus_of_its_hosts_while_it_lasted),
		cmocka_unit_test(a_hosts_time_is_told_by_whose_it_was),
		cmocka_unit_test(the_time_of_an_agents_programs_is_told_where_it_was_counted),
		cmocka_unit_test(what_was_lost_or_kept_out_of_a_host_is_told_with_the_reason),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
