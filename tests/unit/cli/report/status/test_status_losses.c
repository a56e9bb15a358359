/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/report/status/status_losses.h"

static char *said(const json_t *hosts)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	status_losses(out, hosts);
	fclose(out);
	return text;
}

static void says(const char *hosts_text, const char *expected)
{
	json_t *hosts = json_loads(hosts_text, JSON_DECODE_ANY, NULL);
	char *text;

	assert_non_null(hosts);
	text = said(hosts);
	assert_string_equal(text, expected);
	free(text);
	json_decref(hosts);
}

static void what_was_lost_or_kept_out_is_a_line_each(void **state)
{
	says("[{\"hostname\":\"node-1\",\"losses\":["
	     "{\"what\":\"samples\",\"count\":5,\"why\":\"ring full\"},"
	     "{\"what\":\"hosts\",\"count\":1,\"why\":\"rejected: more than 65,536 CPUs\"}]},"
	     "{\"hostname\":\"node-2\",\"losses\":["
	     "{\"what\":\"events\",\"count\":0,\"why\":\"the agent \\u001b[31mwas away\"}]}]",
	     "       ! missing of node-1, last 7 days: 5 samples records (ring full)\n"
	     "       ! missing of node-1, last 7 days: 1 hosts record (rejected: more than 65,536 "
	     "CPUs)\n"
	     "       ! missing of node-2, last 7 days: what the events would have seen (the agent "
	     "?[31mwas away)\n");
}

static void where_nothing_is_missing_nothing_is_said(void **state)
{
	says("[]", "");
	says("[{\"hostname\":\"node-1\",\"losses\":[]},{\"hostname\":\"of an older lake\"}]", "");
}

static void of_many_the_first_are_told(void **state)
{
	json_t *loss = json_pack("{s:s,s:i,s:s}", "what", "samples", "count", 1, "why", "w");
	json_t *hosts = json_pack("[{s:s,s:[]}]", "hostname", "node", "losses");
	char *text, *line;
	size_t lines = 0;

	for (int i = 0; i < 23; i++)
		json_array_append(json_object_get(json_array_get(hosts, 0), "losses"), loss);
	text = said(hosts);
	for (line = text; (line = strchr(line, '\n')); line++)
		lines++;
	assert_int_equal(lines, 21);
	assert_non_null(strstr(text, "! and 3 more: see the hosts page of the dashboard\n"));
	free(text);
	json_decref(loss);
	json_decref(hosts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_lost_or_kept_out_is_a_line_each),
		cmocka_unit_test(where_nothing_is_missing_nothing_is_said),
		cmocka_unit_test(of_many_the_first_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
