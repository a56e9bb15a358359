/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/local/doctor_cloud.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "cloud/metadata/metadata_look.h"

static const char *const names[CLOUD_FACTS] = {
	[CLOUD_INSTANCE_ID] = "instance_id", [CLOUD_INSTANCE_TYPE] = "instance_type",
	[CLOUD_REGION] = "region",           [CLOUD_ZONE] = "zone",
	[CLOUD_ACCOUNT_ID] = "account_id",   [CLOUD_PURCHASE] = "purchase",
};

static int look(const struct doctor_cloud *cloud, struct metadata_look *ret, struct error *err)
{
	const struct metadata_options options = { .cloud = cloud->cloud,
						  .provider = cloud->provider,
						  .url = cloud->metadata_url,
						  .root = "" };

	return metadata_look(ret, &options, err);
}

/* "aws, i-0abc, m6i.large, us-east-1, us-east-1a, 123456789012, spot, 3 tags (by …)" */
static void describe(const struct metadata_look *found, struct buffer *out)
{
	struct metadata_status status = metadata_status(found->metadata);
	const struct cloud_machine *machine = metadata_machine(found->metadata);

	if (!*status.provider) {
		buffer_append_text(out, status.by);
		return;
	}
	buffer_append_text(out, status.provider);
	for (int i = 0; i < CLOUD_FACTS; i++)
		if (*machine->facts[i])
			buffer_printf(out, ", %s", machine->facts[i]);
	if (machine->tag_count > 0)
		buffer_printf(out, ", %zu tags", machine->tag_count);
	buffer_printf(out, " (by %s)", status.by);
}

void doctor_cloud_print(const struct doctor_cloud *cloud)
{
	struct buffer text CLEANUP(buffer_clear) = { 0 };
	struct metadata_look found;
	struct metadata_status status;
	struct error err = { 0 };

	if (look(cloud, &found, &err) < 0) {
		printf("%-7s %-34s %s\n", "absent", "cloud", error_text(&err));
		return;
	}
	buffer_init(&text, 0);
	describe(&found, &text);
	status = metadata_status(found.metadata);
	printf("%-7s %-34s %s\n", status.answered ? "ok" : "absent", "cloud",
	       text.data ? text.data : "");
	if (*status.words)
		printf("        → its metadata service does not say which machine this is: %s; let "
		       "it answer (from a container on AWS it takes a hop limit of 2), or give "
		       "region and instance-type\n",
		       status.words);
	metadata_look_clear(&found);
}

static void member(struct json *json, const char *key, const char *text)
{
	json_key(json, key);
	json_text(json, text);
}

static void write_found(const struct metadata_look *found, struct json *json)
{
	struct metadata_status status = metadata_status(found->metadata);
	const struct cloud_machine *machine = metadata_machine(found->metadata);

	member(json, "provider", status.provider);
	member(json, "by", status.by);
	json_key(json, "answered");
	json_bool(json, status.answered);
	for (int i = 0; i < CLOUD_FACTS; i++)
		member(json, names[i], machine->facts[i]);
	json_key(json, "tags");
	json_u64(json, machine->tag_count);
	member(json, "detail", status.words);
}

void doctor_cloud_write(const struct doctor_cloud *cloud, struct json *json)
{
	struct metadata_look found;
	struct error err = { 0 };

	json_key(json, "cloud");
	json_object_begin(json);
	if (look(cloud, &found, &err) < 0) {
		member(json, "detail", error_text(&err));
	} else {
		write_found(&found, json);
		metadata_look_clear(&found);
	}
	json_object_end(json);
}
