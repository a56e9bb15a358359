/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "fixture_batch.h"

/* Price files and corrected prices, by the API and by `tracer prices`. */

#define OWN "provider,region,instance_type,purchase,usd_hour\n"

static struct lake lake;

static int start(void **state)
{
	struct example example;

	lake_make(&lake);
	lake_start(&lake, NULL);
	example_make(&example, 1);
	example.host.provider = (char[]){ "aws" };
	example.host.region = (char[]){ "eu-west-1" };
	example.host.instance_type = (char[]){ "m6i.large" };
	example.host.price_usd_hour = 0;
	return example_post(&lake, &example, NULL) != 200;
}

static int stop(void **state)
{
	return lake_end(&lake);
}

/* The price that the host has now. */
static void expect(double usd_hour, const char *source)
{
	json_t *prices = lake_get(&lake, "/api/v1/prices", 200);
	json_t *hosts = lake_get(&lake, "/api/v1/hosts", 200);
	const json_t *host = json_array_get(json_object_get(prices, "hosts"), 0);
	const json_t *same = json_array_get(json_object_get(hosts, "hosts"), 0);
	const char *words = json_string_value(json_object_get(host, "source"));

	assert_int_equal(json_array_size(json_object_get(prices, "hosts")), 1);
	if (json_number_value(json_object_get(host, "usd_hour")) != usd_hour)
		fail_msg("the price is %g, not %g",
			 json_number_value(json_object_get(host, "usd_hour")), usd_hour);
	if (!words || !strstr(words, source))
		fail_msg("%s is not %s", words, source);
	assert_true(json_number_value(json_object_get(same, "price_usd_hour")) == usd_hour);
	assert_string_equal(json_string_value(json_object_get(same, "price_source")), words);
	assert_int_equal(json_array_size(json_object_get(prices, "catalogue")), 2);
	json_decref(prices);
	json_decref(hosts);
}

static void post(const char *path, const char *body, int status, const char *words)
{
	struct answer answer = { 0 };

	lake_ask(&lake, "POST", path, lake.admin, "Content-Type: text/csv\r\n", body, strlen(body),
		 &answer);
	if (answer.status != status || !strstr(answer.body.data, words))
		fail_msg("%s: %d %s", path, answer.status, answer.body.data);
	answer_clear(&answer);
}

static void a_price_file_holds_from_now_on(void **state)
{
	post("/api/v1/prices?list=our%20list&date=2026-11-01",
	     OWN "aws,eu-west-1,m6i.large,on_demand,0.1\naws,eu-west-1,c9x.large,spot,0.2\n", 201,
	     "{\"prices\":2,\"hosts\":1,\"unknown_types\":1,");
	expect(0.1, "aws on demand, eu-west-1, our list");
}

static void a_file_that_is_none_changes_nothing(void **state)
{
	post("/api/v1/prices", "", 400, "there is no price of a machine in it");
	post("/api/v1/prices", OWN "aws,eu-west-1,m6i.large,on_demand,free\n", 400,
	     "there is no price of a machine in it");
	post("/api/v1/prices", OWN "azure,eu-west-1,m6i.large,on_demand,1\n", 400,
	     "provider is aws or gcp, not 'azure'");
	post("/api/v1/prices?date=soon", OWN "aws,eu-west-1,m6i.large,on_demand,1\n", 400, "soon");
	post("/api/v1/prices?list=a%1bb", OWN "aws,eu-west-1,m6i.large,on_demand,1\n", 400,
	     "control characters");
	expect(0.1, "our list");
}

static void who_may_only_read_changes_nothing(void **state)
{
	static const char *const paths[] = { "/api/v1/prices",
					     "/api/v1/prices/host?host=node-1&usd_hour=1" };

	for (size_t i = 0; i < 2; i++) {
		struct answer answer = { 0 };

		lake_ask(&lake, "POST", paths[i], lake.read, NULL, OWN, strlen(OWN), &answer);
		assert_int_equal(answer.status, 403);
		answer_clear(&answer);
	}
	expect(0.1, "our list");
}

static void a_corrected_price_counts_and_says_who_corrected_it(void **state)
{
	post("/api/v1/prices/host?usd_hour=1", "", 400, "host is missing");
	post("/api/v1/prices/host?host=node-1", "", 400, "usd_hour is a number from 0.000001");
	post("/api/v1/prices/host?host=node-1&usd_hour=0", "", 400,
	     "usd_hour is a number from 0.000001");
	post("/api/v1/prices/host?host=node-1&usd_hour=1e9", "", 400, "to 10000");
	post("/api/v1/prices/host?host=node-1&usd_hour=1&since=then", "", 400, "then");
	post("/api/v1/prices/host?host=nohost&usd_hour=1", "", 404, "no host has the id or name");
	post("/api/v1/prices/host?host=node-1&usd_hour=0.25&since=always", "", 200,
	     "\"usd_hour\":0.25");
	expect(0.25, "corrected by ");
}

/* `tracer prices ARGUMENTS`; its exit status and what it says. */
static void tracer(const char *arguments, int status, const char *words)
{
	char command[1024], said[8192];
	size_t len;
	FILE *program;
	int ended;

	snprintf(command, sizeof(command),
		 "%s prices --lake %s --token-file %s/tokens/admin %s 2>&1", TRACER, lake.url,
		 lake.folder, arguments);
	program = popen(command, "r");
	assert_non_null(program);
	len = fread(said, 1, sizeof(said) - 1, program);
	said[len] = '\0';
	ended = pclose(program);
	if (WEXITSTATUS(ended) != status || !strstr(said, words))
		fail_msg("%s: %d %s", command, WEXITSTATUS(ended), said);
}

#define FILES TESTS_DIR "/data/prices/"

static void the_command_reads_the_lists_of_providers(void **state)
{
	tracer("update --from " FILES "aws_ec2.json", 0,
	       "4 prices hold from now on; 1 hosts have another price\n"
	       "  1 of types that this version's catalogue does not have\n"
	       "  1 left out: without a region\n"
	       "  1 left out: not in US dollars\n");
	expect(0.108, "aws on demand, eu-west-1, price list of 2026-11-01");
	tracer("update --from - <" FILES "aws_ec2.csv", 0, "0 hosts have another price");
	tracer("update --from " FILES "gcp_skus.json --json", 0, "\"other_currency\": 2");
	tracer("update --from " FILES "own.csv", 0, "1 hosts have another price");
	expect(0.1, "aws on demand, eu-west-1, prices of own.csv");
	tracer("", 0, "prices of own.csv");
	tracer("", 0, "catalogue of aws: list of ");
	tracer("--json", 0, "\"instance_type\": \"m6i.large\"");
}

static void the_command_says_what_is_wrong(void **state)
{
	tracer("update", 2, "update needs --from FILE");
	tracer("update --from " FILES "none", 1, "No such file");
	tracer("update --from " FILES "../commands.tsv", 1, "the list has no column 'provider'");
	tracer("set node-1", 2, "set takes HOST and USD_HOUR");
	tracer("set nohost 1", 3, "no host has the id or name");
	tracer("set node-1 much", 1, "usd_hour is a number from 0.000001");
	tracer("change", 2, "it takes `update --from FILE` or `set HOST USD_HOUR`");
	expect(0.1, "prices of own.csv");
	tracer("set node-1 0.5", 0, "node-1 costs 0.5 USD an hour from now on");
	expect(0.5, "corrected by ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_price_file_holds_from_now_on),
		cmocka_unit_test(a_file_that_is_none_changes_nothing),
		cmocka_unit_test(who_may_only_read_changes_nothing),
		cmocka_unit_test(a_corrected_price_counts_and_says_who_corrected_it),
		cmocka_unit_test(the_command_reads_the_lists_of_providers),
		cmocka_unit_test(the_command_says_what_is_wrong),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
