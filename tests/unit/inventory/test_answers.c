/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "inventory/aws/aws_credentials.h"
#include "inventory/aws/aws_fault.h"
#include "inventory/aws/aws_list.h"
#include "inventory/aws/aws_session.h"
#include "inventory/fetch/fetch.h"
#include "inventory/fetch/retry.h"
#include "inventory/fetch/xml_tree.h"
#include "inventory/gcp/gcp_list.h"
#include "inventory/utc.h"

/* How what providers answer, and what credentials are, is read. */

static struct error err;

/* As JSON; or what is wrong. Valid until the next call. */
static const char *xml(const char *text)
{
	static char *said;
	json_t *tree = NULL;
	int rc;

	free(said);
	err = (struct error){ "" };
	rc = xml_tree_parse(text, strlen(text), &tree, &err);
	said = rc ? strdup(error_text(&err))
		  : json_dumps(tree, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);
	json_decref(tree);
	return said;
}

static void xml_becomes_a_tree(void **state)
{
	assert_string_equal(xml("<a><b>1 &lt; 2</b><c><item>x</item><item><d/></item></c></a>"),
			    "{\"b\":\"1 < 2\",\"c\":[\"x\",{\"d\":\"\"}]}");
	assert_string_equal(xml("<?xml version='1.0'?><a x='1'> t </a>"), "\" t \"");
	assert_string_equal(xml("<a><member>1</member>\n</a>"), "[\"1\"]");
	assert_string_equal(xml("<a><b>1</b><b>2</b></a>"), "{\"b\":\"2\"}");
}

static void what_is_no_xml_is_refused(void **state)
{
	static const char *const TEXTS[] = {
		"",
		"x",
		"<a>",
		"<a></b>",
		"<a/><b/>",
		"<a>\x80</a>",
		"<a>&b;</a>",
		"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
		"<!DOCTYPE a SYSTEM '/etc/passwd'><a/>",
	};

	for (size_t i = 0; i < sizeof(TEXTS) / sizeof(TEXTS[0]); i++)
		assert_non_null(strstr(xml(TEXTS[i]), "the answer is no XML: "));
	assert_non_null(strstr(xml(TEXTS[7]), "document type"));
}

/* `opened` many times, and closed where it is to be. */
static char *nest(const char *head, const char *item, int count, const char *end, int ends)
{
	struct buffer text;

	buffer_init(&text, 0);
	buffer_append_text(&text, head);
	for (int i = 0; i < count; i++)
		buffer_append_text(&text, item);
	for (int i = 0; i < ends; i++)
		buffer_append_text(&text, end);
	return buffer_take(&text);
}

static void xml_beyond_the_bounds_is_refused(void **state)
{
	for (int i = 0; i < 2; i++) {
		CLEANUP(freep)
		char *deep = nest("", "<a>", XML_TREE_DEPTH + i, "</a>", XML_TREE_DEPTH + i);
		CLEANUP(freep)
		char *many = nest("<a>", "<b/>", XML_TREE_ELEMENTS - 1 + i, "</a>", 1);
		CLEANUP(freep) char *wide = nest("<a>", "x", 65536 + i, "</a>", 1);

		assert_int_equal(!strstr(xml(deep), "too many elements"), !i);
		assert_int_equal(!strstr(xml(many), "too many elements"), !i);
		assert_int_equal(!strstr(xml(wide), "too long"), !i);
	}
}

static void credentials_are_of_their_profile(void **state)
{
	static const char text[] = "# c\n[default]\naws_access_key_id=A\n"
				   "aws_secret_access_key=B=\n[profile two]\r\n"
				   " aws_access_key_id = C \r\naws_secret_access_key = D\n"
				   "aws_session_token = E\nregion = x\n[empty]\n";
	struct aws_credentials found = { 0 };

	assert_int_equal(aws_credentials_parse(text, "f", "default", &found, &err), 0);
	assert_string_equal(found.key_id, "A");
	assert_string_equal(found.secret, "B=");
	assert_null(found.token);
	aws_credentials_clear(&found);
	assert_int_equal(aws_credentials_parse(text, "f", "two", &found, &err), 0);
	assert_string_equal(found.key_id, "C");
	assert_string_equal(found.secret, "D");
	assert_string_equal(found.token, "E");
	aws_credentials_clear(&found);
	assert_int_equal(aws_credentials_parse(text, "f", "three", &found, &err), -ENOENT);
	assert_int_equal(aws_credentials_parse(text, "f", "empty", &found, &err), -EINVAL);
	assert_int_equal(aws_credentials_parse("[a]\naws_access_key_id=A\n"
					       "aws_secret_access_key=B C\n",
					       "f", "a", &found, &err),
			 -EINVAL);
	assert_null(strstr(error_text(&err), "B C"));
}

static void a_fault_is_what_its_code_says(void **state)
{
	static const struct {
		const char *answer;
		long status;
		int rc;
	} CASES[] = {
		{ "{\"Errors\":{\"Error\":{\"Code\":\"RequestLimitExceeded\"}}}", 503, -EAGAIN },
		{ "{\"Error\":{\"Code\":\"ExpiredToken\",\"Message\":\"m\"}}", 400, -EKEYEXPIRED },
		{ "{\"Errors\":{\"Error\":{\"Code\":\"OptInRequired\"}}}", 401, -EACCES },
		{ "{\"__type\":\"com.amazonaws#ThrottlingException\"}", 400, -EAGAIN },
		{ "{\"__type\":\"AccessDeniedException\"}", 400, -EPROTO },
		{ "{}", 500, -EAGAIN },
		{ "[]", 429, -EAGAIN },
		{ "{\"Error\":[]}", 403, -EACCES },
		{ "{}", 302, -EPROTO },
	};
	const struct aws_call call = { .service = "ec2", .region = "r", .action = "A" };

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		json_t *answer = json_loads(CASES[i].answer, 0, NULL);

		assert_int_equal(aws_fault(&call, CASES[i].status, answer, &err), CASES[i].rc);
		json_decref(answer);
	}
	assert_int_equal(aws_fault(&call, 502, NULL, &err), -EAGAIN);
}

static void the_group_of_a_machine_is_the_most_specific(void **state)
{
	json_t *tags = json_loads("{\"aws:autoscaling:groupName\":\"g\",\"eks:nodegroup-name\":"
				  "\"n%s\",\"eks:cluster-name\":\"c\"}",
				  0, NULL);
	char group[128];

	aws_group_of_tags(tags, group, sizeof(group));
	assert_string_equal(group, "EKS, node group n%s of cluster c");
	json_object_clear(tags);
	aws_group_of_tags(tags, group, sizeof(group));
	assert_string_equal(group, "");
	json_object_set_new(tags, "workers", json_string("pool"));
	gcp_group_of(tags, "workers-x1y2", NULL, group, sizeof(group));
	assert_string_equal(group, "instance group pool");
	gcp_group_of(tags, "workers", NULL, group, sizeof(group));
	assert_string_equal(group, "");
	json_decref(tags);
}

static void regions_and_instants_are_read(void **state)
{
	char region[64], text[CLOCK_TEXT_SIZE];

	assert_string_equal(gcp_region("us-central1-a", region), "us-central1");
	assert_string_equal(gcp_region("us-central1", region), "us-central1");
	assert_string_equal(utc_text("2026-01-01T00:00:00.5-08:00", text),
			    "2026-01-01T08:00:00.500000Z");
	assert_string_equal(utc_text("2026-01-01T00:00:00Z", text), "2026-01-01T00:00:00.000000Z");
	assert_string_equal(utc_text("2026-01-01T00:00:00", text), "");
	assert_string_equal(utc_text("2026-13-01T00:00:00Z", text), "");
	assert_string_equal(utc_text("2026-01-01T00:00:00+25:00", text), "");
	assert_string_equal(utc_text("9999-01-01T00:00:00Z", text), "");
	assert_string_equal(utc_text(NULL, text), "");
}

static void pauses_double_up_to_their_cap(void **state)
{
	assert_int_equal(retry_pause_ms(1), RETRY_BASE_MS);
	assert_int_equal(retry_pause_ms(3), 4 * RETRY_BASE_MS);
	assert_int_equal(retry_pause_ms(12), RETRY_CAP_MS);
	assert_int_equal(retry_pause_ms(1000), RETRY_CAP_MS);
}

static void only_https_goes_to_another_host(void **state)
{
	static const char *const URLS[] = { "http://example.com/",
					    "http://127.0.0.1.example.com/",
					    "http://localhost@example.com/",
					    "ftp://127.0.0.1/",
					    "file:///etc/passwd",
					    "" };
	CLEANUP(fetch_freep) struct fetch *fetch = fetch_new(1000000000);

	for (size_t i = 0; i < sizeof(URLS) / sizeof(URLS[0]); i++) {
		CLEANUP(fetch_answer_clear) struct fetch_answer answer = { .status = 0 };
		const struct fetch_request request = { .url = URLS[i], .method = "GET" };

		assert_int_equal(fetch_answer(fetch, &request, &answer, &err), -EINVAL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(xml_becomes_a_tree),
		cmocka_unit_test(what_is_no_xml_is_refused),
		cmocka_unit_test(xml_beyond_the_bounds_is_refused),
		cmocka_unit_test(credentials_are_of_their_profile),
		cmocka_unit_test(a_fault_is_what_its_code_says),
		cmocka_unit_test(the_group_of_a_machine_is_the_most_specific),
		cmocka_unit_test(regions_and_instants_are_read),
		cmocka_unit_test(pauses_double_up_to_their_cap),
		cmocka_unit_test(only_https_goes_to_another_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
