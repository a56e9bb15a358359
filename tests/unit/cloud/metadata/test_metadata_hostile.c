/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <event2/http.h>
#include <event2/listener.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "fixture_service.h"

#define OK   "HTTP/1.1 200 OK\r\n"
#define META "/latest/meta-data/"

/* What a service may say instead of an answer. To GCP's machine there is no token first. */
static const struct {
	const char *what, *bytes, *words;
} answers[] = {
	{ "nothing", "", "did not answer" },
	{ "no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", "not HTTP" },
	{ "a redirection",
	  "HTTP/1.1 302 Found\r\nMetadata-Flavor: Google\r\n"
	  "Location: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
	  "status 302" },
	{ "a refusal", "HTTP/1.1 403 No\r\nMetadata-Flavor: Google\r\nContent-Length: 0\r\n\r\n",
	  "status 403" },
	{ "an error", "HTTP/1.1 500 Oh\r\nMetadata-Flavor: Google\r\nContent-Length: 0\r\n\r\n",
	  "status 500" },
	{ "the page of a captive portal", OK "Content-Length: 15\r\n\r\n<html>log in...", "lacks" },
	{ "another value", OK "Metadata-Flavor: Google\r\nContent-Length: 6\r\n\r\n<html>",
	  "form" },
	{ "an empty value", OK "Metadata-Flavor: Google\r\nContent-Length: 0\r\n\r\n", "form" },
	{ "controls", OK "Metadata-Flavor: Google\r\nContent-Length: 9\r\n\r\n12\x1b[31m34",
	  "form" },
	{ "a body that is too long",
	  OK "Metadata-Flavor: Google\r\nContent-Length: 1000000000\r\n\r\n", "longer" },
	{ "a body that is cut off", OK "Metadata-Flavor: Google\r\nContent-Length: 20\r\n\r\n12",
	  "did not answer" },
	{ "two lengths",
	  OK "Metadata-Flavor: Google\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n1",
	  "makes no sense" },
};

static void check(const char *what, const char *bytes, const char *words)
{
	CLEANUP(service_stop) struct service service = { .provider = "gcp", .bytes = bytes };
	struct metadata_status status;

	service_start(&service);
	service_ask(&service, "gcp", "", "/nowhere");
	service_tick(&service, 1);
	status = metadata_status(service.metadata);
	assert_false(status.answered);
	assert_false(status.over);
	assert_string_equal(metadata_machine(service.metadata)->provider, "");
	if (!strstr(status.words, words))
		fail_msg("%s: %s", what, status.words);
}

static void an_answer_that_is_none_changes_nothing(void **state)
{
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
		check(answers[i].what, answers[i].bytes, answers[i].words);
}

static void endless_headers_end(void **state)
{
	size_t size = 1 << 20;
	CLEANUP(freep) char *bytes = malloc(size);
	size_t len = strlen(OK);

	memcpy(bytes, OK, len);
	while (len + 5 < size) {
		memcpy(bytes + len, "a: b\n", 5);
		len += 5;
	}
	bytes[len] = '\0';
	check("endless headers", bytes, "head is longer");
}

static void nobody_listening_is_found_out(void **state)
{
	CLEANUP(service_stop) struct service service = { .provider = "aws", .bytes = "" };

	service_start(&service);
	evconnlistener_free(service.listener);
	service.listener = NULL;
	service_ask(&service, "aws", "", "/nowhere");
	service_tick(&service, 1);
	assert_non_null(strstr(metadata_status(service.metadata).words, "refused"));
}

/* It is asked five times, later each time, and then no more. */
static void it_is_given_up(void **state)
{
	static const uint64_t tried_s[] = { 1, 3, 13, 73, 673 };
	CLEANUP(service_stop)
	struct service service = { .provider = "gcp",
				   .bytes = "HTTP/1.1 404 No\r\nConnection: close\r\n"
					    "Content-Length: 0\r\n\r\n" };
	unsigned tries = 0;

	service_start(&service);
	service_ask(&service, "gcp", "", "/nowhere");
	for (uint64_t now_s = 1; now_s < 10000; now_s++) {
		service_tick(&service, now_s);
		if (tries < 5 && tried_s[tries] == now_s)
			tries++;
		assert_int_equal(service.changes, tries);
	}
	assert_true(metadata_status(service.metadata).over);
	assert_int_equal(tries, 5);
}

static void a_service_that_takes_too_long_for_all_is_given_up(void **state)
{
	CLEANUP(service_stop) struct service service = { .provider = "aws", .bytes = "" };

	service_start(&service);
	service_ask(&service, "aws", "", "/nowhere");
	metadata_tick(service.metadata, 1 * NS_PER_S);
	assert_true(metadata_status(service.metadata).asking);
	metadata_tick(service.metadata, 11 * NS_PER_S);
	assert_true(metadata_status(service.metadata).asking);
	metadata_tick(service.metadata, 12 * NS_PER_S);
	assert_false(metadata_status(service.metadata).asking);
	assert_non_null(strstr(metadata_status(service.metadata).words, "all questions"));
	assert_int_equal(service.changes, 1);
}

/* A machine of AWS of which one answer is another one. */
static const struct {
	const char *path, *text;
	bool known; /* the machine, in spite of it */
} lies[] = {
	{ META "instance-id", "i-0123456789abcdef0\r\nX-Evil: 1", false },
	{ META "instance-id", "", false },
	{ META "instance-type", "<script>alert(1)</script>", true },
	{ META "placement/availability-zone", "eu-west-1a", false },
	{ META "instance-life-cycle", "forever", true },
	{ "/latest/dynamic/instance-identity/document", "{\"accountId\":", true },
	{ "/latest/dynamic/instance-identity/document", "[[[[[[[[", true },
	{ "/latest/dynamic/instance-identity/document",
	  "{\"accountId\": \"123456789012\", \"instanceId\": \"i-0ffffffffffffffff\"}", true },
	{ "/latest/dynamic/instance-identity/document",
	  "{\"accountId\": 123456789012, \"instanceId\": \"i-0123456789abcdef0\"}", true },
	{ META "tags/instance", "\n\n../../../etc/passwd\nhttp://x\n%2e%2e\n", true },
	{ META "tags/instance", "<html><body>tags</body></html>", true },
	{ "/latest/api/token", "two words", false },
	{ "/latest/api/token", "", false },
};

static void a_lie_about_one_value_is_not_taken(void **state)
{
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		const bool token = strcmp(lies[i].path, "/latest/api/token") == 0;
		const struct service_answer list[] = {
			{ lies[i].path, lies[i].text },
			{ META "instance-id", "i-0123456789abcdef0" },
			{ META "instance-type", "m6i.large" },
			{ META "placement/availability-zone", "us-east-1a" },
			{ META "placement/region", "us-east-1" },
			{ META "instance-life-cycle", "on-demand" },
			{ 0 },
		};
		CLEANUP(service_stop)
		struct service service = { .provider = "aws",
					   .answers = list,
					   .token = token ? lies[i].text : "t" };
		const struct cloud_machine *machine;

		service_start(&service);
		service_ask(&service, "aws", "", "/nowhere");
		service_tick(&service, 1);
		machine = metadata_machine(service.metadata);
		if (metadata_status(service.metadata).answered != lies[i].known)
			fail_msg("%s: '%s'", lies[i].path, lies[i].text);
		assert_string_equal(machine->facts[CLOUD_INSTANCE_ID],
				    lies[i].known ? "i-0123456789abcdef0" : "");
		assert_string_equal(machine->facts[CLOUD_ACCOUNT_ID], "");
		assert_int_equal(machine->tag_count, 0);
		assert_null(strstr(service.asked.data, "etc"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_that_is_none_changes_nothing),
		cmocka_unit_test(endless_headers_end),
		cmocka_unit_test(nobody_listening_is_found_out),
		cmocka_unit_test(it_is_given_up),
		cmocka_unit_test(a_service_that_takes_too_long_for_all_is_given_up),
		cmocka_unit_test(a_lie_about_one_value_is_not_taken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
