/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <event2/event.h>
#include <string.h>

#include "base/cleanup.h"
#include "fixture_service.h"
#include "fixture_sysfs.h"

#define META     "/latest/meta-data/"
#define INSTANCE "/computeMetadata/v1/instance/"
#define DMI      "/sys/class/dmi/id/"

#define AWS_MACHINE(life_cycle)                                                               \
	{ META "instance-id", "i-0123456789abcdef0" }, { META "instance-type", "m6i.large" }, \
		{ META "placement/availability-zone", "us-east-1a" },                         \
		{ META "placement/region", "us-east-1" },                                     \
	{                                                                                     \
		META "instance-life-cycle", life_cycle                                        \
	}

static const struct service_answer aws[] = {
	AWS_MACHINE("on-demand"),
	{ "/latest/dynamic/instance-identity/document",
	  "{\"accountId\" : \"123456789012\",\n\"instanceId\" : \"i-0123456789abcdef0\"}" },
	{ META "tags/instance", "Name\nproject\n../iam\nuser:id\n" },
	{ META "tags/instance/Name", "node 1" },
	{ META "tags/instance/project", "x" },
	{ META "tags/instance/user:id", "ann" },
	{ META "spot/instance-action", "{\"action\": \"terminate\", \"time\": "
				       "\"2026-09-18T08:22:00Z\"}" },
	{ 0 }
};

static const struct service_answer gcp[] = {
	{ INSTANCE "id", "4520031799277581759" },
	{ INSTANCE "machine-type", "projects/123456/machineTypes/n2-standard-4" },
	{ INSTANCE "zone", "projects/123456/zones/us-central1-a" },
	{ INSTANCE "scheduling/preemptible", "TRUE" },
	{ "/computeMetadata/v1/project/project-id", "my-project" },
	{ INSTANCE "attributes/cluster-name", "gke-1" },
	{ INSTANCE "preempted", "FALSE" },
	{ INSTANCE "maintenance-event", "NONE" },
	{ 0 }
};

static const char *fact(const struct service *service, enum cloud_fact fact)
{
	return metadata_machine(service->metadata)->facts[fact];
}

static void aws_says_who_this_machine_is(void **state)
{
	CLEANUP(service_stop)
	struct service service = { .provider = "aws", .answers = aws, .token = "AQAE==" };
	const struct cloud_machine *machine;

	service_start(&service);
	service_ask(&service, "aws", "", "/nowhere");
	service_tick(&service, 1);
	assert_int_equal(service.changes, 1);
	assert_true(metadata_status(service.metadata).answered);
	assert_true(metadata_status(service.metadata).over);
	machine = metadata_machine(service.metadata);
	assert_string_equal(machine->provider, "aws");
	assert_string_equal(fact(&service, CLOUD_INSTANCE_ID), "i-0123456789abcdef0");
	assert_string_equal(fact(&service, CLOUD_INSTANCE_TYPE), "m6i.large");
	assert_string_equal(fact(&service, CLOUD_REGION), "us-east-1");
	assert_string_equal(fact(&service, CLOUD_ZONE), "us-east-1a");
	assert_string_equal(fact(&service, CLOUD_ACCOUNT_ID), "123456789012");
	assert_string_equal(fact(&service, CLOUD_PURCHASE), "on_demand");
	assert_int_equal(machine->tag_count, 3);
	assert_string_equal(machine->tags[0].key, "Name");
	assert_string_equal(machine->tags[0].value, "node 1");
	assert_string_equal(machine->tags[2].key, "user:id");
	/* These questions and no others; of one on demand nothing is watched. */
	service_tick(&service, 1000);
	assert_string_equal(service.asked.data,
			    "PUT /latest/api/token\n"
			    "GET /latest/meta-data/instance-id\n"
			    "GET /latest/meta-data/instance-type\n"
			    "GET /latest/meta-data/placement/availability-zone\n"
			    "GET /latest/meta-data/placement/region\n"
			    "GET /latest/meta-data/instance-life-cycle\n"
			    "GET /latest/dynamic/instance-identity/document\n"
			    "GET /latest/meta-data/tags/instance\n"
			    "GET /latest/meta-data/tags/instance/Name\n"
			    "GET /latest/meta-data/tags/instance/project\n"
			    "GET /latest/meta-data/tags/instance/user:id\n");
	assert_int_equal(service.notices, 0);
}

static void gcp_says_who_this_machine_is(void **state)
{
	CLEANUP(service_stop) struct service service = { .provider = "gcp", .answers = gcp };
	const struct cloud_machine *machine;

	service_start(&service);
	service_ask(&service, "auto", "gcp", "/nowhere");
	service_tick(&service, 1);
	machine = metadata_machine(service.metadata);
	assert_string_equal(machine->provider, "gcp");
	assert_string_equal(fact(&service, CLOUD_INSTANCE_ID), "4520031799277581759");
	assert_string_equal(fact(&service, CLOUD_INSTANCE_TYPE), "n2-standard-4");
	assert_string_equal(fact(&service, CLOUD_REGION), "us-central1");
	assert_string_equal(fact(&service, CLOUD_ZONE), "us-central1-a");
	assert_string_equal(fact(&service, CLOUD_ACCOUNT_ID), "my-project");
	assert_string_equal(fact(&service, CLOUD_PURCHASE), "spot");
	assert_int_equal(machine->tag_count, 1);
	assert_string_equal(machine->tags[0].key, "cluster-name");
	assert_string_equal(machine->tags[0].value, "gke-1");
	assert_null(strstr(service.asked.data, "ssh"));
	assert_null(strstr(service.asked.data, "service-accounts"));
	assert_null(strstr(service.asked.data, "recursive"));
}

static void an_answer_without_googles_header_is_none(void **state)
{
	CLEANUP(service_stop)
	struct service service = { .provider = "gcp", .answers = gcp, .is_silent = true };

	service_start(&service);
	service_ask(&service, "gcp", "", "/nowhere");
	service_tick(&service, 1);
	assert_false(metadata_status(service.metadata).answered);
	assert_string_equal(fact(&service, CLOUD_INSTANCE_ID), "");
	assert_non_null(strstr(metadata_status(service.metadata).words, "Metadata-Flavor"));
}

/* Which option or firmware makes it ask which service. */
static void nothing_is_asked_unless_an_option_or_the_firmware_names_a_cloud(void **state)
{
	static const struct {
		const char *cloud, *provider, *vendor, *asks;
	} cases[] = {
		{ "auto", "", "QEMU", "" },      { "auto", "", "Amazon EC2", "aws" },
		{ "off", "", "Amazon EC2", "" }, { "off", "aws", "QEMU", "" },
		{ "aws", "", "QEMU", "aws" },    { "auto", "aws", "QEMU", "aws" },
		{ "gcp", "", "QEMU", "gcp" },    { "auto", "on-premises", "Amazon EC2", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct sysfs_file files[] = { { DMI "sys_vendor", cases[i].vendor } };
		CLEANUP(sysfs_remove) struct sysfs sysfs = sysfs_make(files, 1);
		CLEANUP(service_stop)
		struct service service = { .provider = "aws", .answers = aws, .token = "t" };

		service_start(&service);
		service_ask(&service, cases[i].cloud, cases[i].provider, sysfs.root);
		service_tick(&service, 1);
		assert_string_equal(metadata_status(service.metadata).provider, cases[i].asks);
		assert_int_equal(service.asked.len > 0, *cases[i].asks != '\0');
		assert_true(*metadata_status(service.metadata).by);
	}
}

static void the_firmware_is_believed_where_the_service_is_off(void **state)
{
	static const struct sysfs_file files[] = { { DMI "sys_vendor", "Amazon EC2" },
						   { DMI "board_asset_tag", "i-0aaaaaaaaaaaaaaaa" },
						   { DMI "product_name", "c7g.xlarge" } };
	static const struct service_answer none[] = { { 0 } };
	CLEANUP(sysfs_remove) struct sysfs sysfs = sysfs_make(files, 3);
	CLEANUP(service_stop)
	struct service service = { .provider = "aws", .answers = none, .token = "t" };

	service_start(&service);
	service_ask(&service, "auto", "", sysfs.root);
	service_tick(&service, 1);
	assert_false(metadata_status(service.metadata).answered);
	assert_string_equal(metadata_machine(service.metadata)->provider, "aws");
	assert_string_equal(fact(&service, CLOUD_INSTANCE_ID), "i-0aaaaaaaaaaaaaaaa");
	assert_string_equal(fact(&service, CLOUD_INSTANCE_TYPE), "c7g.xlarge");
}

static void a_service_that_names_another_instance_than_the_firmware_lies(void **state)
{
	static const struct sysfs_file files[] = {
		{ DMI "sys_vendor", "Amazon EC2" }, { DMI "board_asset_tag", "i-0aaaaaaaaaaaaaaaa" }
	};
	CLEANUP(sysfs_remove) struct sysfs sysfs = sysfs_make(files, 2);
	CLEANUP(service_stop)
	struct service service = { .provider = "aws", .answers = aws, .token = "t" };

	service_start(&service);
	service_ask(&service, "auto", "", sysfs.root);
	service_tick(&service, 1);
	assert_false(metadata_status(service.metadata).answered);
	assert_string_equal(fact(&service, CLOUD_INSTANCE_ID), "i-0aaaaaaaaaaaaaaaa");
	assert_string_equal(fact(&service, CLOUD_REGION), "");
	assert_non_null(strstr(metadata_status(service.metadata).words, "the firmware"));
}

static void options_that_contradict_or_lead_elsewhere_are_refused(void **state)
{
	static const struct {
		const char *cloud, *provider, *url;
		bool fits;
	} cases[] = {
		{ "azure", "", "", false },
		{ "aws", "gcp", "", false },
		{ "aws", "aws", "", true },
		{ "auto", "on-premises", "", true },
		{ "aws", "", "http://127.0.0.1:5999", true },
		{ "aws", "", "http://169.254.170.2/v2", true },
		{ "aws", "", "http://[fd00:ec2::254]", true },
		{ "aws", "", "http://[::1]:8080", true },
		{ "aws", "", "http://localhost:8080", true },
		{ "aws", "", "http://192.0.2.1", false },
		{ "aws", "", "http://metadata.example", false },
		{ "aws", "", "http://[2001:db8::1]", false },
		{ "aws", "", "ftp://127.0.0.1", false },
		{ "aws", "", "127.0.0.1", false },
	};
	const struct metadata_listener listener = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct event_base *base = event_base_new();
		const struct metadata_options options = { .cloud = cases[i].cloud,
							  .provider = cases[i].provider,
							  .url = cases[i].url,
							  .root = "/nowhere" };
		struct metadata *metadata = NULL;
		struct error words = { 0 };
		int rc = metadata_new(&metadata, base, &options, &listener, &words);

		if (rc != (cases[i].fits ? 0 : -EINVAL))
			fail_msg("%s %s %s: %d", cases[i].cloud, cases[i].provider, cases[i].url,
				 rc);
		assert_int_equal(*words.text == '\0', cases[i].fits);
		metadata_free(metadata);
		event_base_free(base);
	}
}

static void tags_that_are_not_enabled_cost_nothing(void **state)
{
	static const struct service_answer without[] = { AWS_MACHINE("spot"), { 0 } };
	CLEANUP(service_stop)
	struct service service = { .provider = "aws", .answers = without, .token = "t" };

	service_start(&service);
	service_ask(&service, "aws", "", "/nowhere");
	service_tick(&service, 1);
	assert_true(metadata_status(service.metadata).answered);
	assert_int_equal(metadata_machine(service.metadata)->tag_count, 0);
	assert_string_equal(fact(&service, CLOUD_ACCOUNT_ID), "");
	assert_string_equal(fact(&service, CLOUD_PURCHASE), "spot");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(aws_says_who_this_machine_is),
		cmocka_unit_test(gcp_says_who_this_machine_is),
		cmocka_unit_test(an_answer_without_googles_header_is_none),
		cmocka_unit_test(nothing_is_asked_unless_an_option_or_the_firmware_names_a_cloud),
		cmocka_unit_test(the_firmware_is_believed_where_the_service_is_off),
		cmocka_unit_test(a_service_that_names_another_instance_than_the_firmware_lies),
		cmocka_unit_test(options_that_contradict_or_lead_elsewhere_are_refused),
		cmocka_unit_test(tags_that_are_not_enabled_cost_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
