/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cloud/metadata/metadata_source.h"

/*
 * GCP. Labels are not in the metadata; attributes are free text that may hold secrets, so that only
 * those are asked for that GKE sets.
 * https://cloud.google.com/compute/docs/metadata/predefined-metadata-keys
 * https://cloud.google.com/compute/docs/metadata/querying-metadata
 */
static bool take_id(struct cloud_machine *machine, const char *text)
{
	return cloud_machine_set(machine, CLOUD_INSTANCE_ID, text);
}

/* The last part of "projects/NUMBER/PARTS/NAME"; NULL: it has another form. */
static const char *last_part(const char *text, const char *parts)
{
	size_t number = text_starts_with(text, "projects/") ? strspn(text + 9, "0123456789") : 0;
	const char *rest = text + 9 + number;
	size_t len = strlen(parts);

	return number && *rest == '/' && strncmp(rest + 1, parts, len) == 0 && rest[1 + len] == '/'
		       ? rest + 2 + len
		       : NULL;
}

static bool take_type(struct cloud_machine *machine, const char *text)
{
	const char *type = last_part(text, "machineTypes");

	return type && cloud_machine_set(machine, CLOUD_INSTANCE_TYPE, type);
}

/* The region is the zone without its last part: "us-central1-a". */
static bool take_zone(struct cloud_machine *machine, const char *text)
{
	const char *zone = last_part(text, "zones"), *end = zone ? strrchr(zone, '-') : NULL;
	char region[CLOUD_FACT_SIZE];

	if (!end || (size_t)(end - zone) >= sizeof(region) ||
	    !cloud_machine_set(machine, CLOUD_ZONE, zone))
		return false;
	return cloud_machine_set(machine, CLOUD_REGION,
				 text_cut(zone, (size_t)(end - zone), region, sizeof(region)));
}

static bool take_project(struct cloud_machine *machine, const char *text)
{
	return cloud_machine_set(machine, CLOUD_ACCOUNT_ID, text);
}

static bool take_preemptible(struct cloud_machine *machine, const char *text)
{
	bool spot = strcmp(text, "TRUE") == 0;

	return (spot || strcmp(text, "FALSE") == 0) &&
	       cloud_machine_set(machine, CLOUD_PURCHASE, spot ? "spot" : "on_demand");
}

/* Newer than `preemptible`, which says TRUE of a spot instance, too. "STANDARD", "SPOT",
 * "RESERVATION_BOUND", "FLEX_START". */
static bool take_model(struct cloud_machine *machine, const char *text)
{
	return strcmp(text, "SPOT") != 0 || cloud_machine_set(machine, CLOUD_PURCHASE, "spot");
}

static bool take_cluster(struct cloud_machine *machine, const char *text)
{
	return cloud_machine_add_tag(machine, "cluster-name", text);
}

static bool take_cluster_location(struct cloud_machine *machine, const char *text)
{
	return cloud_machine_add_tag(machine, "cluster-location", text);
}

#define INSTANCE "/computeMetadata/v1/instance/"

static const struct metadata_step steps[] = {
	{ INSTANCE "id", true, take_id },
	{ INSTANCE "machine-type", false, take_type },
	{ INSTANCE "zone", false, take_zone },
	{ INSTANCE "scheduling/preemptible", false, take_preemptible },
	{ INSTANCE "scheduling/provisioning-model", false, take_model },
	{ "/computeMetadata/v1/project/project-id", false, take_project },
	{ INSTANCE "attributes/cluster-name", false, take_cluster },
	{ INSTANCE "attributes/cluster-location", false, take_cluster_location },
};

static bool notice(struct metadata_notice *ret, const char *detail)
{
	*ret = (struct metadata_notice){ .kind = "spot_interruption",
					 .words = "takes this spot instance away" };
	(void)snprintf(ret->detail, sizeof(ret->detail), "%s", detail);
	return true;
}

/* https://cloud.google.com/compute/docs/instances/create-use-spot#detect-preemption: it ends 30 s
 * after. */
static bool take_preempted(const char *text, struct metadata_notice *ret)
{
	return strcmp(text, "TRUE") == 0 && notice(ret, "preempted");
}

/* https://cloud.google.com/compute/docs/metadata/getting-live-migration-notice */
static bool take_maintenance(const char *text, struct metadata_notice *ret)
{
	return strcmp(text, "TERMINATE_ON_HOST_MAINTENANCE") == 0 &&
	       notice(ret, "terminate for maintenance of the machine below");
}

static const struct metadata_watch watches[] = {
	{ INSTANCE "preempted", take_preempted },
	{ INSTANCE "maintenance-event", take_maintenance },
};

const struct metadata_source metadata_gcp = {
	.provider = "gcp",
	.url = "http://169.254.169.254",
	.header = "Metadata-Flavor: Google",
	.answer_header = "Metadata-Flavor: Google",
	.steps = steps,
	.step_count = sizeof(steps) / sizeof(steps[0]),
	.watches = watches,
	.watch_count = sizeof(watches) / sizeof(watches[0]),
};
