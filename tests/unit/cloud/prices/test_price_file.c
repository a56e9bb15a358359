/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/file.h"
#include "cloud/prices/price_file.h"

/* A line for each price: "aws eu-west-1 m6i.large on_demand 0.108". */
static int list(void *context, const struct price_entry *entry)
{
	buffer_printf(context, "%s %s %s %s %.7g\n", entry->provider, entry->region, entry->type,
		      entry->purchase, entry->usd_hour);
	return 0;
}

/* Reads a text in pieces of `step` bytes. */
static int read_text(const char *text, size_t len, size_t step, struct buffer *out,
		     struct price_summary *ret, struct error *err)
{
	CLEANUP(price_file_freep) struct price_file *file = price_file_new(list, out);
	int rc = 0;

	for (size_t at = 0; !rc && at < len; at += step)
		rc = price_file_feed(file, text + at, len - at < step ? len - at : step, err);
	return rc ? rc : price_file_end(file, ret, err);
}

static struct price_summary read_file(const char *name, size_t step, struct buffer *out)
{
	CLEANUP(freep) char *text = NULL;
	struct price_summary summary = { 0 };
	struct error err = { "" };
	char path[256];
	size_t len;

	snprintf(path, sizeof(path), "%s/data/prices/%s", TESTS_DIR, name);
	assert_int_equal(file_read(AT_FDCWD, path, 1 << 20, &text, &len), 0);
	buffer_init(out, 0);
	if (read_text(text, len, step, out, &summary, &err))
		fail_msg("%s: %s", name, error_text(&err));
	return summary;
}

#define AWS                                            \
	"aws eu-west-1 m6i.large on_demand 0.108\n"    \
	"aws eu-west-1 c6i.4xlarge on_demand 0.7296\n" \
	"aws us-west-2 m6i.large on_demand 0.097\n"    \
	"aws eu-west-1 m99i.large on_demand 0.12\n"

static void the_list_of_aws_is_read_as_json_and_as_csv(void **state)
{
	static const char *const names[] = { "aws_ec2.json", "aws_ec2.csv" };
	static const size_t steps[] = { 1, 7, 1 << 20 };

	for (size_t i = 0; i < 6; i++) {
		CLEANUP(buffer_clear) struct buffer out = { 0 };
		struct price_summary summary = read_file(names[i % 2], steps[i / 2], &out);

		assert_string_equal(out.data, AWS);
		assert_string_equal(summary.provider, "aws");
		assert_string_equal(summary.date, "2026-11-01");
		assert_int_equal(summary.prices, 4);
		assert_int_equal(summary.unknown_types, 1);
		assert_int_equal(summary.unknown_regions, 0);
		assert_int_equal(summary.without_region, 1);
		assert_int_equal(summary.other_currency, 1);
	}
}

static void types_of_google_cost_what_their_vcpus_and_memory_do(void **state)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };
	struct price_summary summary = read_file("gcp_skus.json", 100, &out);

	assert_non_null(strstr(out.data, "gcp us-east1 n2-standard-4 on_demand 0.194236\n"));
	assert_non_null(strstr(out.data, "gcp us-central1 n2-standard-4 spot 0.092\n"));
	assert_non_null(strstr(out.data, "gcp us-central1 n2-highcpu-8 on_demand 0.286784\n"));
	assert_non_null(strstr(out.data, "gcp europe-west4 n2d-standard-2 on_demand 0.093032\n"));
	assert_non_null(strstr(out.data, "gcp us-central1 c2-standard-4 on_demand 0.20872\n"));
	assert_null(strstr(out.data, "e2-"));
	assert_null(strstr(out.data, "lssd"));
	assert_int_equal(summary.other_currency, 2);
	assert_int_equal(summary.without_type, 1); /* the catalogue has no q9 */
	assert_int_equal(summary.other_products, 4);
}

static void own_prices_are_read(void **state)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };
	struct price_summary summary = read_file("own.csv", 3, &out);

	assert_string_equal(out.data, "aws eu-west-1 m6i.large spot 0.0412\n"
				      "aws eu-west-1 m6i.large on_demand 0.1\n"
				      "gcp europe-west4 n2-standard-4 spot 0.061\n");
	assert_int_equal(summary.prices, 3);
	assert_string_equal(summary.date, "");
}

#define OWN  "provider,region,instance_type,purchase,usd_hour\n"
#define NONE "there is no price of a machine in it"

static void every_damaged_file_is_refused_with_words(void **state)
{
	static const struct {
		const char *text;
		int rc;
		const char *words;
	} cases[] = {
		{ "", -EINVAL, NONE },
		{ "\n\n", -EINVAL, NONE },
		{ "hello\n", -EINVAL, NONE },
		{ "{}", -EINVAL, NONE },
		{ "{\"skus\":[]}", -EINVAL, NONE },
		{ "{\"products\":{", -EINVAL, "line 1: the file ends too early" },
		{ "{\"products\":{\"A", -EINVAL, "line 1: the file ends too early" },
		{ "{\n\"products\":]", -EINVAL, "line 2: this is no JSON" },
		{ "{\"a\":1}}", -EINVAL, "line 1: this is no JSON" },
		{ "{\"a\":?}", -EINVAL, "line 1: this is no JSON" },
		{ "{{}}", -EINVAL, "line 1: this is no JSON" },
		{ "[{\"skus\":[{\"a\":truly}]}]", -EINVAL, "line 1: this is no JSON" },
		{ "[{\"skus\":[{\"a\":nu ll}]}]", -EINVAL, "a SKU is no JSON" },
		{ "{\"products\":{\"A\":{\"b\":\"Linux\",}}}", -EINVAL,
		  "the product A is no JSON" },
		{ "{\"terms\":{\"OnDemand\":{\"A\":{}}}}", -EINVAL, NONE },
		{ OWN, -EINVAL, NONE },
		{ OWN "aws,r,t,spot,0\n", -EINVAL, NONE },
		{ OWN "aws,r,t,spot,-1\n", -EINVAL, NONE },
		{ OWN "aws,r,t,spot,nan\n", -EINVAL, NONE },
		{ OWN "aws,r,t,spot,1e9\n", -EINVAL, NONE },
		{ OWN "aws,r,t;DROP TABLE x,spot,1\n", -EINVAL, NONE },
		{ OWN "azure,r,t,spot,1\n", -EINVAL, "provider is aws or gcp, not 'azure'" },
		{ OWN "aws,r,t,reserved,1\n", -EINVAL,
		  "purchase is on_demand or spot, not 'reserved'" },
		{ OWN "aws,r,\"t", -EINVAL, "line 2: the file ends within quotes" },
		{ "provider,region,type\n", -EINVAL, "the list has no column 'instance_type'" },
		{ "SKU,OfferTermCode,x\n", -EINVAL, "the list has no column 'Region Code'" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(buffer_clear) struct buffer out = { 0 };
		struct price_summary summary;
		struct error err = { "" };
		int rc;

		buffer_init(&out, 0);
		rc = read_text(cases[i].text, strlen(cases[i].text), 5, &out, &summary, &err);
		if (rc != cases[i].rc || !strstr(error_text(&err), cases[i].words))
			fail_msg("%s: %d %s", cases[i].text, rc, error_text(&err));
	}
}

static void too_much_of_anything_is_refused(void **state)
{
	CLEANUP(buffer_clear) struct buffer deep = { 0 }, value = { 0 }, row = { 0 }, out = { 0 };
	struct buffer *texts[] = { &deep, &value, &row };
	struct price_summary summary;

	for (size_t i = 0; i < 3; i++)
		buffer_init(texts[i], 0);
	buffer_init(&out, 0);
	memset(buffer_extend(&deep, 65), '[', 65);
	buffer_append_text(&value, "{\"skus\":[\"");
	memset(buffer_extend(&value, 1 << 20), 'a', 1 << 20);
	buffer_append_text(&value, "\"]}");
	memset(buffer_extend(&row, 1 << 20), ',', 1 << 20);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(
			read_text(texts[i]->data, texts[i]->len, 4096, &out, &summary, NULL),
			-EFBIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_list_of_aws_is_read_as_json_and_as_csv),
		cmocka_unit_test(types_of_google_cost_what_their_vcpus_and_memory_do),
		cmocka_unit_test(own_prices_are_read),
		cmocka_unit_test(every_damaged_file_is_refused_with_words),
		cmocka_unit_test(too_much_of_anything_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
