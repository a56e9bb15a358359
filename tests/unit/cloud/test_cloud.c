/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cloud/catalogue.h"
#include "cloud/cloud.h"

extern const char cloud_catalogue[];

static const struct {
	const char *provider, *region, *type, *purchase;
	double configured;
	int rc;
	double usd_hour;
	bool exact;
	const char *source;
} prices[] = {
	{ "aws", "us-east-1", "m5.large", "", 0, 0, 0.096, true,
	  "aws on demand, us-east-1, list of 2026-07-20" },
	{ "aws", "eu-central-1", "m5.large", "", 0, 0, 0.096 * 1.1979, false,
	  "aws on demand, eu-central-1 (estimated), list of 2026-07-20" },
	{ "aws", "eu-central-1", "c7g.large", "", 0, 0, 0.0725 * 1.1979, false,
	  "aws on demand, eu-central-1 (estimated), list of 2026-07-20" },
	{ "aws", "", "m5.large", "", 0, 0, 0.096, false,
	  "aws on demand, us-east-1 (estimated), list of 2026-07-20" },
	{ "aws", NULL, "m5.large", "", 0, 0, 0.096, false,
	  "aws on demand, us-east-1 (estimated), list of 2026-07-20" },
	{ "aws", "xx-new-9", "m5.large", "", 0, 0, 0.096, false,
	  "aws on demand, xx-new-9 (estimated), list of 2026-07-20" },
	{ "gcp", "us-central1", "n2-standard-4", "", 0, 0, 0.194236, true,
	  "gcp on demand, us-central1, list of 2026-08" },
	{ "gcp", "europe-west1", "n2-standard-4", "", 0, 0, 0.213668, true,
	  "gcp on demand, europe-west1, list of 2026-08" },
	{ "aws", "eu-west-1", "m6i.2xlarge", "spot", 0, 0, 0.384 * 1.1146 * 0.47, false,
	  "aws spot, eu-west-1 (estimated), list of 2026-07-20 less 53 % of 2025-06-28" },
	{ "gcp", "us-central1", "n2-standard-4", "spot", 0, 0, 0.09212, true,
	  "gcp spot, us-central1, list of 2026-08" },
	/* types with a factor of their own */
	{ "gcp", "europe-west4", "c3-standard-4-lssd", "", 0, 0, 0.256894, true,
	  "gcp on demand, europe-west4, list of 2026-08" },
	{ "gcp", "europe-west4", "c3-standard-4-lssd", "spot", 0, 0, 0.114753, true,
	  "gcp spot, europe-west4, list of 2026-08" },
	{ "gcp", "us-central1", "n2-standard-4", "on_demand", 0, 0, 0.194236, true,
	  "gcp on demand, us-central1, list of 2026-08" },
	{ "gcp", "xx-new-9", "n2-standard-4", "spot", 0, -ENOENT, 0, false, NULL },
	/* custom types: 5 % above their family */
	{ "gcp", "us-central1", "n2-custom-8-16384", "", 0, 0, 1.05 * (8 * 0.03161 + 16 * 0.004237),
	  false, "gcp on demand, us-central1 (estimated), list of 2026-08" },
	{ "gcp", "us-central1", "custom-2-7680", "", 0, 0, 1.05 * (2 * 0.03161 + 7.5 * 0.004237),
	  false, "gcp on demand, us-central1 (estimated), list of 2026-08" },
	{ "gcp", "us-central1", "n2-custom-8-16384-ext", "", 0, -ENOENT, 0, false, NULL },
	{ "gcp", "us-central1", "n2-big-custom-8-16384", "", 0, -ENOENT, 0, false, NULL },
	{ "gcp", "us-central1", "e2-custom-micro-1024", "", 0, -ENOENT, 0, false, NULL },
	{ "gcp", "us-central1", "q9-custom-8-16384", "", 0, -ENOENT, 0, false, NULL },
	{ "gcp", "us-central1", "n2-custom--8-16384", "", 0, -ENOENT, 0, false, NULL },
	{ "aws", "us-east-1", "custom-2-7680", "", 0, -ENOENT, 0, false, NULL },
	/* what was configured wins, whatever the machine is */
	{ "aws", "us-east-1", "m5.large", "", 0.05, 0, 0.05, true, "configured" },
	{ "", "", "", "", 1.5, 0, 1.5, true, "configured" },
	{ NULL, NULL, NULL, "", 1.5, 0, 1.5, true, "configured" },
	/* unknown */
	{ "aws", "us-east-1", "m5", "", 0, -ENOENT, 0, false, NULL },
	{ "aws", "us-east-1", "", "", 0, -ENOENT, 0, false, NULL },
	{ "aws", "us-east-1", "m5.large\t2", "", 0, -ENOENT, 0, false, NULL },
	{ "azure", "westeurope", "Standard_D2s_v5", "", 0, -ENOENT, 0, false, NULL },
	{ "", "", "", "", 0, -ENOENT, 0, false, NULL },
	{ NULL, NULL, NULL, "", -1, -ENOENT, 0, false, NULL },
};

static void a_price_comes_with_its_source_and_how_sure_it_is(void **state)
{
	for (size_t i = 0; i < sizeof(prices) / sizeof(prices[0]); i++) {
		struct cloud_price price = { .usd_hour = -7 };
		int rc = cloud_price(prices[i].provider, prices[i].region, prices[i].type,
				     prices[i].purchase, prices[i].configured, &price);
		assert_int_equal(rc, prices[i].rc);
		if (rc != 0) {
			assert_true(price.usd_hour == -7); /* untouched */
			continue;
		}
		assert_true(fabs(price.usd_hour / prices[i].usd_hour - 1) < 1e-4);
		assert_int_equal(price.exact, prices[i].exact);
		assert_string_equal(price.source, prices[i].source);
	}
}

static void an_instance_tells_what_it_is(void **state)
{
	struct cloud_instance instance;
	assert_int_equal(cloud_instance("aws", "c7g.large", &instance), 0);
	assert_true(instance.vcpus == 2);
	assert_int_equal(instance.memory_bytes, (uint64_t)4 << 30);
	assert_string_equal(instance.arch, "arm64");
	assert_int_equal(cloud_instance("gcp", "n2-standard-4", &instance), 0);
	assert_int_equal(instance.memory_bytes, (uint64_t)16 << 30);
	assert_string_equal(instance.arch, "x86_64");
	assert_int_equal(cloud_instance("gcp", "c7g.large", &instance), -ENOENT);
	assert_int_equal(cloud_instance("aws", NULL, &instance), -ENOENT);
}

static void a_name_of_any_length_is_only_unknown(void **state)
{
	struct cloud_price price;
	char *name = calloc(1, 100001);
	memset(name, 'x', 100000);
	assert_int_equal(cloud_price("aws", name, "m5.large", NULL, 0, &price), 0);
	assert_false(price.exact);
	assert_int_equal(cloud_price("aws", "us-east-1", name, NULL, 0, &price), -ENOENT);
	assert_int_equal(cloud_price(name, name, name, NULL, 0, &price), -ENOENT);
	free(name);
}

static void lines_are_sorted_and_each_is_found(void **state)
{
	char *copy = strdup(cloud_catalogue), *rest = NULL, *last = NULL;
	unsigned found = 0;

	for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char kind[16], provider[16], region[64], family[64];
		struct catalogue_line as_found;

		if (*line == '#')
			continue;
		assert_true(!last || strcmp(last, line) < 0);
		last = line;
		if (sscanf(line, "%15[^\t]\t%15[^\t]\t%63[^\t]\t%63[^\t]", kind, provider, region,
			   family) != 4)
			fail_msg("%s", line);
		assert_true(CATALOGUE_FIND(&as_found, kind, provider, region, family));
		assert_memory_equal(as_found.fields[0].text, line, strlen(line));
		found++;
	}
	free(copy);
	assert_true(found > 6000);
}

static void weights_are_those_of_the_family(void **state)
{
	static const struct {
		const char *provider, *type;
		struct cloud_size size;
		uint32_t cpu, memory, gpu;
	} cases[] = {
		/* 2 vCPUs and 8 GiB at 0.03523 and 0.003407 USD */
		{ "aws", "m6i.large", { 0, 0, 0 }, 721120, 278880, 0 },
		{ "aws", "r6i.large", { 0, 0, 0 }, 563900, 436100, 0 },
		/* 4 vCPUs, 16 GiB and a GPU at 0.0239, 0.0032 and 0.56 USD: Google's own prices */
		{ "gcp", "g2-standard-4", { 0, 0, 0 }, 135252, 72434, 792314 },
		/* the family has no GPU of its own: what the price leaves */
		{ "gcp", "a2-highgpu-1g", { 0, 0, 0 }, 103261, 97947, 798792 },
		/* one that the catalogue has not, of a family that it has */
		{ "gcp", "n2-custom-8-8192-ext", { 8, 0, 8ull << 30 }, 881800, 118200, 0 },
		/* GPUs that were attached */
		{ "gcp", "n1-standard-4", { 4, 1, 15ull << 30 }, 52405, 26342, 921253 },
		/* on premises, as AWS */
		{ "", "", { 64, 0, 256ull << 30 }, 720890, 279110, 0 },
		{ NULL, NULL, { 64, 4, 256ull << 30 }, 423100, 163800, 413100 },
		{ NULL, NULL, { 0, 0, 0 }, 720890, 279110, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t ppm[CLOUD_WEIGHTS];

		cloud_weights(cases[i].provider, cases[i].type, &cases[i].size, ppm);
		assert_int_equal(ppm[CLOUD_CPU] + ppm[CLOUD_MEMORY] + ppm[CLOUD_GPU], 1000000);
		if (labs((long)ppm[CLOUD_CPU] - (long)cases[i].cpu) > 1000 ||
		    labs((long)ppm[CLOUD_GPU] - (long)cases[i].gpu) > 1000)
			fail_msg("%s: %u %u %u", cases[i].type, ppm[CLOUD_CPU], ppm[CLOUD_MEMORY],
				 ppm[CLOUD_GPU]);
	}
}

/* Each type of the catalogue can be asked for, and its figures make sense. */
static void the_whole_catalogue_reads_back(void **state)
{
	char *copy = strdup(cloud_catalogue), *rest = NULL;
	unsigned types = 0, priced = 0;
	for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char provider[16], type[64];
		struct cloud_instance instance;
		struct cloud_price price;
		uint32_t ppm[CLOUD_WEIGHTS];
		if (sscanf(line, "type\t%15[^\t]\t%63[^\t]", provider, type) != 2)
			continue;
		types++;
		assert_int_equal(cloud_instance(provider, type, &instance), 0);
		assert_true(instance.vcpus >= 1 && instance.vcpus <= 4096);
		assert_true(instance.memory_bytes >= (uint64_t)512 << 20);
		assert_true(instance.gpus >= 0 && instance.gpus <= 72);
		cloud_weights(provider, type, NULL, ppm);
		assert_int_equal(ppm[CLOUD_CPU] + ppm[CLOUD_MEMORY] + ppm[CLOUD_GPU], 1000000);
		assert_true(ppm[CLOUD_CPU] > 0 && ppm[CLOUD_MEMORY] > 0);
		assert_true((ppm[CLOUD_GPU] > 0) == (instance.gpus > 0));
		if (cloud_price(provider, "", type, NULL, 0, &price) == 0) {
			priced++;
			assert_true(price.usd_hour > 0.001 && price.usd_hour < 1000);
		}
	}
	free(copy);
	assert_true(types > 1900);
	assert_true(priced > 1800);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_price_comes_with_its_source_and_how_sure_it_is),
		cmocka_unit_test(an_instance_tells_what_it_is),
		cmocka_unit_test(a_name_of_any_length_is_only_unknown),
		cmocka_unit_test(lines_are_sorted_and_each_is_found),
		cmocka_unit_test(weights_are_those_of_the_family),
		cmocka_unit_test(the_whole_catalogue_reads_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
