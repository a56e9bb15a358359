/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "fixture_batch.h"

#define BILL_LIMIT (1u << 20)

static struct lake lake;

static int start(void **state)
{
	lake_make(&lake);
	lake_start(&lake, (const char *const[]){ "--bill-limit=1M", NULL });
	return 0;
}

static int stop(void **state)
{
	return lake_end(&lake);
}

/* The path of a file of tests/data/bills, or of a change of it: `from` becomes `to`, which is as
 * long. */
static void send(const char *name, const char *from, const char *to, const char *query,
		 const char *token, struct answer *answer)
{
	CLEANUP(freep) char *bytes = NULL;
	char path[256];
	size_t len;

	snprintf(path, sizeof(path), TESTS_DIR "/data/bills/%s", name);
	assert_int_equal(file_read(AT_FDCWD, path, BILL_LIMIT, &bytes, &len), 0);
	for (char *at = bytes; from && (at = strstr(at, from));)
		memcpy(at, to, strlen(to));
	snprintf(path, sizeof(path), "/api/v1/bills%s", query);
	lake_ask(&lake, "POST", path, token, "Content-Type: application/octet-stream\r\n", bytes,
		 len, answer);
}

static void expect(int status, const char *words, const struct answer *answer)
{
	if (answer->status != status || !strstr(answer->body.data, words))
		fail_msg("%d %s, not %d %s", answer->status, answer->body.data, status, words);
}

static void expect_sent(const char *name, const char *from, const char *to, const char *query,
			const char *token, int status, const char *words)
{
	struct answer answer;

	send(name, from, to, query, token, &answer);
	expect(status, words, &answer);
	answer_clear(&answer);
}

/* Uploads are removed once they are stored or refused. */
static void expect_no_upload(void)
{
	char path[128];
	DIR *folder;
	size_t count = 0;

	snprintf(path, sizeof(path), "%s/lake/uploads", lake.folder);
	folder = opendir(path);
	assert_non_null(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	assert_int_equal(count, 2); /* . and .. */
}

static void a_bill_is_stored_once_and_by_an_administrator(void **state)
{
	expect_sent("focus_1_2.csv", NULL, NULL, "?name=november.csv", lake.read, 403, "admin");
	expect_sent("focus_1_2.csv", NULL, NULL, "?name=november.csv", lake.ingest, 403, "admin");
	expect_sent("focus_1_2.csv", NULL, NULL, "?name=november.csv", lake.admin, 201,
		    "\"lines\":13,\"complete\":true");
	expect_sent("focus_1_2.csv", NULL, NULL, "", lake.admin, 409, "as november.csv at");
	expect_no_upload();
}

static json_t *last_bill(const char *query)
{
	json_t *list = lake_get(&lake, "/api/v1/bills", 200);
	char path[128];

	snprintf(path, sizeof(path), "/api/v1/bills/%.8s%s",
		 json_string_value(
			 json_object_get(json_array_get(json_object_get(list, "bills"), 0), "id")),
		 query);
	json_decref(list);
	return lake_get(&lake, path, 200);
}

static json_int_t sum_of(const json_t *bill, const char *name)
{
	json_int_t sum = 0;
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(bill, "remainder"), i, row)
	{
		const char *of = json_string_value(json_object_get(row, "name"));

		if (!name || strcmp(of, name) == 0)
			sum += json_integer_value(json_object_get(row, "nusd"));
	}
	return sum;
}

static void an_invoice_without_agents_is_a_remainder_with_names(void **state)
{
	json_t *bill = last_bill("?hours=true");
	const json_t *invoice = json_array_get(json_object_get(bill, "invoices"), 0);

	assert_string_equal(json_string_value(json_object_get(invoice, "billed")),
			    "31.760611111111100000");
	assert_int_equal(sum_of(bill, NULL), 31760611111);
	assert_int_equal(sum_of(bill, "no_agent"), 349956789);
	assert_int_equal(sum_of(bill, "tax"), 2150000000);
	assert_int_equal(sum_of(bill, "unexplained"), 0);
	assert_int_equal(json_array_size(json_object_get(bill, "hours")), 2);
	json_decref(bill);
}

static void another_currency_is_shown_and_not_added(void **state)
{
	json_t *bill;
	const json_t *invoice;

	expect_sent("focus_1_3.csv", "USD", "EUR", "", lake.admin, 201, "FOCUS 1.3");
	bill = last_bill("");
	invoice = json_array_get(json_object_get(bill, "invoices"), 0);
	assert_string_equal(json_string_value(json_object_get(invoice, "currency")), "EUR");
	assert_string_equal(json_string_value(json_object_get(invoice, "billed")),
			    "0.226500000000000000");
	assert_true(json_is_null(json_object_get(invoice, "billed_usd")));
	assert_int_equal(json_array_size(json_object_get(bill, "remainder")), 0);
	json_decref(bill);
}

static void an_export_of_two_files_counts_with_the_second(void **state)
{
	expect_sent("focus_1_2.csv", "INV-2026-11", "INV-2026-1x", "?batch=b&files=2", lake.admin,
		    201, "\"complete\":false");
	expect_sent("focus_1_2_next.csv", "INV-2026-12", "INV-2026-1y", "?batch=b&files=2",
		    lake.admin, 201, "\"complete\":true");
}

static void what_is_no_bill_is_refused_with_words(void **state)
{
	struct answer answer;
	char *large = calloc(1, BILL_LIMIT + 1);

	expect_sent("gcp.csv", "currency", "CURRENT.", "", lake.admin, 400,
		    "looks like GCP detailed export, and has no column currency");
	expect_sent("gcp.csv", NULL, NULL, "?files=0", lake.admin, 400, "files");
	lake_ask(&lake, "POST", "/api/v1/bills", lake.admin, "", "", 0, &answer);
	expect(400, "the request has no body", &answer);
	answer_clear(&answer);
	lake_ask(&lake, "POST", "/api/v1/bills", lake.admin, "", large, BILL_LIMIT + 1, &answer);
	expect(413, "a file here may have 1 MiB (bill-limit)", &answer);
	answer_clear(&answer);
	free(large);
	json_decref(lake_get(&lake, "/api/v1/bills/zz", 404));
	expect_no_upload();
}

static void what_a_client_that_went_left_is_removed(void **state)
{
	char head[512];
	struct answer answer;
	int fd = lake_connect(&lake);

	snprintf(head, sizeof(head),
		 "POST /api/v1/bills HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"
		 "Content-Length: 1000\r\n\r\nhalf",
		 lake.admin);
	assert_true(write(fd, head, strlen(head)) > 0);
	close(fd);
	lake_ask(&lake, "GET", "/api/v1/bills", lake.read, "", NULL, 0, &answer);
	expect(200, "bills", &answer);
	answer_clear(&answer);
	assert_int_equal(lake_stop(&lake), 0);
	lake_start(&lake, (const char *const[]){ "--bill-limit=1M", NULL });
	expect_sent("gcp.csv", NULL, NULL, "", lake.admin, 201, "GCP detailed export");
	expect_no_upload();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bill_is_stored_once_and_by_an_administrator),
		cmocka_unit_test(an_invoice_without_agents_is_a_remainder_with_names),
		cmocka_unit_test(another_currency_is_shown_and_not_added),
		cmocka_unit_test(an_export_of_two_files_counts_with_the_second),
		cmocka_unit_test(what_is_no_bill_is_refused_with_words),
		cmocka_unit_test(what_a_client_that_went_left_is_removed),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
