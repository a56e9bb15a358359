/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "sweep/cloud/cloud_words.h"

/* A volume that is attached to no machine, and paid for. */

static bool is_found(const struct waste_finder *finder, const struct sweep_input *input,
		     const struct sweep_volume *volume)
{
	return volume->listed == SWEEP_LISTED && !*volume->attached_to &&
	       volume->detached_since > 0 && !volume->by_design &&
	       input->now_at - volume->detached_since >=
		       sweep_limit_ns(input, SWEEP_VOLUME_PATIENCE_S) &&
	       !cloud_is_exempted(finder, input, volume->name, volume->owner, volume->tags);
}

static char *write_summary(const struct sweep_input *input, const struct sweep_volume *volume)
{
	char bytes[32], since[32], *text = NULL;

	text_bytes(volume->bytes, bytes, sizeof(bytes));
	text_duration((uint64_t)(input->now_at - volume->detached_since), since, sizeof(since));
	return asprintf(&text,
			"The volume %s (%s, %s) in %s has been attached to no machine for %s: "
			"nothing can read it.",
			*volume->name ? volume->name : volume->id, bytes, volume->type,
			volume->region, since) < 0
		       ? NULL
		       : text;
}

static char *write_evidence(const struct sweep_volume *volume)
{
	struct waste_evidence evidence;

	waste_evidence_begin(&evidence);
	waste_evidence_text(&evidence, "provider", volume->provider);
	waste_evidence_text(&evidence, "account", volume->account);
	waste_evidence_text(&evidence, "account_id", volume->account_id);
	waste_evidence_text(&evidence, "region", volume->region);
	waste_evidence_text(&evidence, "zone", volume->zone);
	waste_evidence_text(&evidence, "volume_type", volume->type);
	waste_evidence_i64(&evidence, "bytes", (int64_t)volume->bytes);
	if (volume->nusd_hour >= 0)
		waste_evidence_text(&evidence, "price_source", volume->price_source);
	waste_evidence_i64(&evidence, "created_at", volume->created_at);
	waste_evidence_i64(&evidence, "detached_since", volume->detached_since);
	waste_evidence_i64(&evidence, "listed_at", volume->listed_at);
	return waste_evidence_end(&evidence);
}

static char *write_command(const struct sweep_volume *volume)
{
	const char *const aws[] = { "aws ec2 delete-volume --region ", volume->region,
				    " --volume-id ", volume->id, NULL };
	/* A disk of several zones has a region instead. */
	bool zoned = volume->zone && *volume->zone;
	const char *const gcp[] = { "gcloud compute disks delete --project=",
				    volume->account_id,
				    zoned ? " --zone=" : " --region=",
				    zoned ? volume->zone : volume->region,
				    " -- ",
				    volume->name,
				    NULL };

	return cloud_command(strcmp(volume->provider, "gcp") == 0 ? gcp : aws);
}

static int add(const struct waste_finder *finder, const struct sweep_input *input,
	       const struct sweep_volume *volume, struct wastes *ret)
{
	return waste_add(finder, input,
			 (struct waste){
				 .subject = WASTE_VOLUME,
				 .id = cloud_copy(volume->id),
				 .name = cloud_name(volume->name, volume->id),
				 .who = cloud_copy(volume->owner),
				 .since_at = volume->detached_since,
				 .nusd_hour = volume->nusd_hour,
				 .confidence = CONFIDENCE_HIGH,
				 .summary = write_summary(input, volume),
				 .evidence = write_evidence(volume),
				 .advice = cloud_copy("Make a snapshot where its content "
						      "may be needed, which costs less, "
						      "and delete it."),
				 .command = write_command(volume),
			 },
			 ret);
}

static int find(const struct waste_finder *finder, const struct sweep_input *input,
		struct wastes *ret)
{
	CLEANUP(freep)
	struct cloud_found *found = calloc(input->volume_count + 1, sizeof(*found));
	size_t count = 0;
	int rc = found ? 0 : -ENOMEM;

	for (size_t i = 0; rc == 0 && i < input->volume_count; i++) {
		const struct sweep_volume *volume = &input->volumes[i];

		if (is_found(finder, input, volume))
			found[count++] =
				(struct cloud_found){ volume->nusd_hour, volume->id, volume };
	}
	count = found ? cloud_most_expensive(found, count) : 0;
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = add(finder, input, found[i].item, ret);
	return rc;
}

extern const struct waste_finder waste_volume_unused;
const struct waste_finder waste_volume_unused = {
	.name = "volume_unused",
	.title = "Volume attached to nothing",
	.find = find,
};
