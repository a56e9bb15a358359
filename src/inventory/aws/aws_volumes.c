/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "inventory/aws/aws_list.h"
#include "inventory/aws/aws_session.h"

#define GIB ((uint64_t)1 << 30)

struct volumes {
	struct listing *listing;
	const char *region;
};

/* While it is detached it may be listed as "detaching". */
static const char *machine_of(const json_t *volume)
{
	const json_t *attachments = json_object_get(volume, "attachmentSet");
	json_t *attachment;
	size_t i;

	json_array_foreach(attachments, i,
			   attachment) if (strcmp(listing_text(attachment, "status"), "detached") !=
					   0) return listing_text(attachment, "instanceId");
	return "";
}

static int write_volume(const struct volumes *volumes, const json_t *volume)
{
	CLEANUP(json_decrefp) json_t *tags = aws_tags(volume);
	const char *id = listing_text(volume, "volumeId");
	const char *state = listing_text(volume, "status");
	unsigned long long gib = strtoull(listing_text(volume, "size"), NULL, 10);

	if (!*id || strcmp(state, "deleting") == 0 || strcmp(state, "deleted") == 0)
		return 0;
	return listing_volume(volumes->listing,
			      &(struct listed_volume){
				      .region = volumes->region,
				      .zone = listing_text(volume, "availabilityZone"),
				      .id = id,
				      .name = listing_text(tags, "Name"),
				      .type = listing_text(volume, "volumeType"),
				      .attached_to = machine_of(volume),
				      .created_at = listing_text(volume, "createTime"),
				      .bytes = gib < (1u << 24) ? gib * GIB : 0,
				      .tags = tags,
			      });
}

static int take_page(void *context, const json_t *page, struct error *err)
{
	const json_t *set = json_object_get(page, "volumeSet");
	json_t *volume;
	size_t i;
	int rc = 0;

	if (!set)
		return error_set(err, -EPROTO, "ec2 DescribeVolumes: the answer has another form");
	json_array_foreach(set, i, volume) if (rc == 0) rc = write_volume(context, volume);
	return rc;
}

int aws_list_volumes(struct aws_session *session, const char *region, struct error *err)
{
	char more[64];
	struct volumes volumes = { session->listing, region };
	const struct aws_call call = { .service = "ec2",
				       .region = region,
				       .action = "DescribeVolumes",
				       .version = AWS_EC2_VERSION,
				       .path = "/",
				       .body = more };

	snprintf(more, sizeof(more), "&MaxResults=%u",
		 (unsigned)session->listing->account->page_size);
	return aws_ask_pages(session, &call, take_page, &volumes, err);
}
