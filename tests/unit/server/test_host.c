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
	struct example example;

	lake_make(&lake);
	lake_start(&lake, NULL);
	example_make(&example, 1);
	return example_post(&lake, &example, NULL) != 200;
}

static int stop(void **state)
{
	int status = lake_stop(&lake);

	lake_remove(&lake);
	return status;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_has_its_facts_and_samples),
		cmocka_unit_test(waste_says_how_long_each_host_was_up_and_used),
		cmocka_unit_test(the_price_is_the_configured_one_else_the_catalogues_else_unknown),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
