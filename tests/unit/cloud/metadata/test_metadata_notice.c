/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "cloud/metadata/metadata_source.h"
#include "fixture_service.h"

#define META     "/latest/meta-data/"
#define INSTANCE "/computeMetadata/v1/instance/"

/* What each watch makes of an answer; kind NULL: no notice. */
static const struct {
	const struct metadata_source *source;
	size_t watch;
	const char *text, *kind, *detail;
} cases[] = {
	{ &metadata_aws, 0, "{\"action\":\"terminate\",\"time\":\"2026-11-29T12:00:00Z\"}",
	  "spot_interruption", "terminate at 2026-11-29T12:00:00Z" },
	{ &metadata_aws, 0, "{\"action\":\"hibernate\",\"time\":\"2026-11-29T12:00:00Z\"}",
	  "spot_interruption", "hibernate at 2026-11-29T12:00:00Z" },
	{ &metadata_aws, 0, "{\"action\":\"explode\",\"time\":\"2026-11-29T12:00:00Z\"}", NULL,
	  NULL },
	{ &metadata_aws, 0, "{\"action\":\"stop\",\"time\":\"soon\"}", NULL, NULL },
	{ &metadata_aws, 0, "{\"action\":\"stop\",\"time\":\"2026-11-29T12:00:00Z\\u001b[31m\"}",
	  NULL, NULL },
	{ &metadata_aws, 0, "{\"action\":\"stop\"}", NULL, NULL },
	{ &metadata_aws, 0, "[]", NULL, NULL },
	{ &metadata_aws, 0, "<html>", NULL, NULL },
	{ &metadata_aws, 1, "{\"noticeTime\":\"2026-11-29T11:50:00Z\"}", "spot_rebalance",
	  "recommended at 2026-11-29T11:50:00Z" },
	{ &metadata_aws, 1, "{\"noticeTime\":7}", NULL, NULL },
	{ &metadata_gcp, 0, "TRUE", "spot_interruption", "preempted" },
	{ &metadata_gcp, 0, "FALSE", NULL, NULL },
	{ &metadata_gcp, 0, "true story", NULL, NULL },
	{ &metadata_gcp, 1, "NONE", NULL, NULL },
	{ &metadata_gcp, 1, "MIGRATE_ON_HOST_MAINTENANCE", NULL, NULL },
	{ &metadata_gcp, 1, "TERMINATE_ON_HOST_MAINTENANCE", "spot_interruption",
	  "terminate for maintenance of the machine below" },
};

static void a_notice_is_taken_in_its_form_alone(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct metadata_notice notice = { 0 };
		bool taken = cases[i].source->watches[cases[i].watch].take(cases[i].text, &notice);

		if (taken != (cases[i].kind != NULL))
			fail_msg("%s", cases[i].text);
		if (!taken)
			continue;
		assert_string_equal(notice.kind, cases[i].kind);
		assert_string_equal(notice.detail, cases[i].detail);
		assert_true(*notice.words);
	}
}

static void a_spot_instance_of_aws_is_watched(void **state)
{
	struct service_answer list[] = { { META "instance-id", "i-0123456789abcdef0" },
					 { META "instance-life-cycle", "spot" },
					 { "/later", "{\"action\":\"stop\",\"time\":"
						     "\"2026-11-29T12:00:00Z\"}" },
					 { 0 } };
	CLEANUP(service_stop)
	struct service service = { .provider = "aws", .answers = list, .token = "one" };

	service_start(&service);
	service_ask(&service, "aws", "", "/nowhere");
	for (uint64_t now_s = 1; now_s < 30; now_s++)
		service_tick(&service, now_s);
	assert_int_equal(service.notices, 0);
	assert_int_equal(service.changes, 1);
	list[2].path = META "spot/instance-action";
	service_tick(&service, 40);
	assert_int_equal(service.notices, 1);
	assert_string_equal(service.notice.kind, "spot_interruption");
	assert_string_equal(service.notice.detail, "stop at 2026-11-29T12:00:00Z");
	service_tick(&service, 41); /* not so soon */
	assert_int_equal(service.notices, 1);
	service_tick(&service, 45);
	assert_int_equal(service.notices, 2);
}

static void a_token_that_ran_out_is_replaced(void **state)
{
	static const struct service_answer list[] = {
		{ META "instance-id", "i-0123456789abcdef0" },
		{ META "instance-life-cycle", "spot" },
		{ META "events/recommendations/rebalance",
		  "{\"noticeTime\":\"2026-11-29T11:50:00Z\"}" },
		{ 0 }
	};
	CLEANUP(service_stop)
	struct service service = { .provider = "aws", .answers = list, .token = "one" };

	service_start(&service);
	service_ask(&service, "aws", "", "/nowhere");
	service_tick(&service, 1);
	service_tick(&service, 2);
	assert_int_equal(service.notices, 1);
	service.token = "two";
	service_tick(&service, 10); /* 401 */
	assert_int_equal(service.notices, 1);
	service_tick(&service, 20);
	assert_int_equal(service.notices, 2);
	assert_string_equal(service.notice.kind, "spot_rebalance");
}

static void a_service_that_fails_is_watched_seldom(void **state)
{
	struct service_answer list[] = { { INSTANCE "id", "1" },
					 { INSTANCE "scheduling/preemptible", "TRUE" },
					 { INSTANCE "preempted", "FALSE" },
					 { 0 } };
	CLEANUP(service_stop) struct service service = { .provider = "gcp", .answers = list };
	size_t before;

	service_start(&service);
	service_ask(&service, "gcp", "", "/nowhere");
	service_tick(&service, 1);
	service.is_silent = true; /* its answers are none */
	for (uint64_t now_s = 2; now_s < 30; now_s++)
		service_tick(&service, now_s);
	before = service.asked.len;
	for (uint64_t now_s = 30; now_s < 80; now_s++)
		service_tick(&service, now_s);
	assert_int_equal(service.asked.len, before);
	service.is_silent = false;
	list[2].text = "TRUE";
	service_tick(&service, 90);
	assert_int_equal(service.notices, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_notice_is_taken_in_its_form_alone),
		cmocka_unit_test(a_spot_instance_of_aws_is_watched),
		cmocka_unit_test(a_token_that_ran_out_is_replaced),
		cmocka_unit_test(a_service_that_fails_is_watched_seldom),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
