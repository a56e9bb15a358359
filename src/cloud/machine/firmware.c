/* SPDX-License-Identifier: Apache-2.0 */
#include "cloud/machine/firmware.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"

#define DMI         "/sys/class/dmi/id/"
#define FACT_LIMIT  4096
#define WORDS_LIMIT 64

/* The first line of a file of sysfs: true if there is one that is plain text. */
static bool read_line(const char *root, const char *path, char *ret, size_t size)
{
	CLEANUP(freep) char *text = NULL;
	char name[4096];
	size_t len;

	(void)snprintf(name, sizeof(name), "%s%s", root, path);
	if (file_read(AT_FDCWD, name, FACT_LIMIT, &text, &len) < 0)
		return false;
	len = strcspn(text, "\n");
	while (len > 0 && text[len - 1] == ' ')
		len--;
	if (len == 0 || len >= size || !utf8_is_plain(text, len))
		return false;
	text_cut(text, len, ret, size);
	return true;
}

/* The vendor of a Chromebook is Google, too: the product's name alone identifies a machine of GCP.
 * The vendor of an AWS machine on Xen is Xen's. */
static const struct sign {
	const char *path, *text, *provider;
} signs[] = {
	{ DMI "sys_vendor", "Amazon EC2", "aws" },
	{ DMI "board_vendor", "Amazon EC2", "aws" },
	{ DMI "bios_vendor", "Amazon EC2", "aws" },
	{ DMI "chassis_asset_tag", "Amazon EC2", "aws" },
	{ DMI "product_name", "Google Compute Engine", "gcp" },
};

/* One UUID in 4,096 begins with "ec2": the version of the firmware must be Amazon's, too. */
static bool is_aws_xen(const char *root, char *by, size_t size)
{
	char uuid[WORDS_LIMIT], version[WORDS_LIMIT];

	if (!read_line(root, "/sys/hypervisor/uuid", uuid, sizeof(uuid)) ||
	    strncasecmp(uuid, "ec2", 3) != 0 ||
	    !read_line(root, DMI "bios_version", version, sizeof(version)) ||
	    !strcasestr(version, "amazon"))
		return false;
	(void)snprintf(by, size, "/sys/hypervisor/uuid begins with 'ec2'");
	return true;
}

/* Nitro: the tag of the board is the instance's id, the product's name its type. */
static void read_nitro(struct firmware *firmware, const char *root)
{
	struct cloud_machine machine;
	char text[CLOUD_FACT_SIZE];

	cloud_machine_init(&machine, "aws");
	if (read_line(root, DMI "board_asset_tag", text, sizeof(text)) &&
	    cloud_machine_set(&machine, CLOUD_INSTANCE_ID, text))
		(void)snprintf(firmware->instance_id, CLOUD_FACT_SIZE, "%s", text);
	if (read_line(root, DMI "product_name", text, sizeof(text)) &&
	    cloud_machine_set(&machine, CLOUD_INSTANCE_TYPE, text))
		(void)snprintf(firmware->instance_type, CLOUD_FACT_SIZE, "%s", text);
}

void firmware_read(struct firmware *ret, const char *root)
{
	char text[WORDS_LIMIT];

	*ret = (struct firmware){ .provider = "" };
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]) && !*ret->provider; i++) {
		if (!read_line(root, signs[i].path, text, sizeof(text)) ||
		    strcmp(text, signs[i].text) != 0)
			continue;
		ret->provider = signs[i].provider;
		(void)snprintf(ret->by, sizeof(ret->by), "%s says '%s'", signs[i].path, text);
	}
	if (!*ret->provider && is_aws_xen(root, ret->by, sizeof(ret->by)))
		ret->provider = "aws";
	if (strcmp(ret->provider, "aws") == 0)
		read_nitro(ret, root);
}
