/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "cloud/machine/firmware.h"
#include "fixture_sysfs.h"

#define DMI "/sys/class/dmi/id/"

#define NITRO_FILES                                                                   \
	{ DMI "sys_vendor", "Amazon EC2\n" }, { DMI "board_vendor", "Amazon EC2\n" }, \
		{ DMI "board_asset_tag", "i-0123456789abcdef0\n" },                   \
	{                                                                             \
		DMI "product_name", "m5.large\n"                                      \
	}

static const struct {
	const char *what;
	struct sysfs_file files[6];
	const char *provider, *instance_id, *instance_type;
} cases[] = {
	{ "nothing", { { 0 } }, "", "", "" },
	{ "nitro", { NITRO_FILES }, "aws", "i-0123456789abcdef0", "m5.large" },
	{ "an asset tag that is no instance",
	  { { DMI "sys_vendor", "Amazon EC2" },
	    { DMI "board_asset_tag", "Not Specified" },
	    { DMI "product_name", "Not Specified" } },
	  "aws",
	  "",
	  "" },
	{ "only the chassis says so",
	  { { DMI "sys_vendor", "QEMU" }, { DMI "chassis_asset_tag", "Amazon EC2 " } },
	  "aws",
	  "",
	  "" },
	{ "Xen",
	  { { DMI "sys_vendor", "Xen\n" },
	    { DMI "bios_version", "4.11.amazon\n" },
	    { "/sys/hypervisor/uuid", "ec2e1916-9099-7caf-fd21-012345abcdef\n" } },
	  "aws",
	  "",
	  "" },
	{ "another Xen with a UUID that begins so",
	  { { DMI "sys_vendor", "Xen\n" },
	    { DMI "bios_version", "4.17\n" },
	    { "/sys/hypervisor/uuid", "ec2e1916-9099-7caf-fd21-012345abcdef\n" } },
	  "",
	  "",
	  "" },
	{ "an Xen of Amazon's with another UUID",
	  { { DMI "bios_version", "4.11.amazon\n" },
	    { "/sys/hypervisor/uuid", "00000000-9099-7caf-fd21-012345abcdef\n" } },
	  "",
	  "",
	  "" },
	{ "GCP",
	  { { DMI "sys_vendor", "Google\n" }, { DMI "product_name", "Google Compute Engine\n" } },
	  "gcp",
	  "",
	  "" },
	{ "a Chromebook",
	  { { DMI "sys_vendor", "Google\n" }, { DMI "product_name", "Eve\n" } },
	  "",
	  "",
	  "" },
	{ "a board with a tag like an instance's",
	  { { DMI "sys_vendor", "Dell Inc.\n" },
	    { DMI "board_asset_tag", "i-0123456789abcdef0\n" } },
	  "",
	  "",
	  "" },
	{ "controls", { { DMI "sys_vendor", "Amazon EC2\x1b[31m" } }, "", "", "" },
};

static void the_firmware_says_which_cloud(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(sysfs_remove) struct sysfs sysfs = sysfs_make(cases[i].files, 6);
		struct firmware firmware;

		firmware_read(&firmware, sysfs.root);
		if (strcmp(firmware.provider, cases[i].provider) != 0)
			fail_msg("%s: '%s'", cases[i].what, firmware.provider);
		assert_string_equal(firmware.instance_id, cases[i].instance_id);
		assert_string_equal(firmware.instance_type, cases[i].instance_type);
		assert_int_equal(*firmware.by != '\0', *cases[i].provider != '\0');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_firmware_says_which_cloud),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
