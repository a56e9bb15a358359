/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "inventory/gcp/gcp_list.h"
#include "inventory/gcp/gcp_session.h"

/* Not metadata: start-up scripts may hold secrets. */
#define FIELDS                                                                            \
	"nextPageToken,unreachables,items/*/warning/code,items/*/instances(id,name,zone," \
	"machineType,status,creationTimestamp,lastStartTimestamp,hostname,labels,"        \
	"scheduling(preemptible,provisioningModel))"

struct machines {
	struct gcp_session *session;
	struct gcp_regions *regions;
	const json_t *groups;
};

/* https://cloud.google.com/compute/docs/instances/instance-lifecycle: TERMINATED is what others
 * call stopped: it can be started again. */
static const char *state_of(const char *status)
{
	static const char *const STATES[][2] = {
		{ "RUNNING", "running" },     { "PROVISIONING", "pending" },
		{ "STAGING", "pending" },     { "STOPPING", "stopping" },
		{ "TERMINATED", "stopped" },  { "SUSPENDED", "suspended" },
		{ "SUSPENDING", "stopping" }, { "REPAIRING", "repairing" },
	};

	for (size_t i = 0; i < sizeof(STATES) / sizeof(STATES[0]); i++)
		if (strcmp(STATES[i][0], status) == 0)
			return STATES[i][1];
	return "unknown";
}

static bool is_spot(const json_t *machine)
{
	const json_t *scheduling = json_object_get(machine, "scheduling");

	return strcmp(listing_text(scheduling, "provisioningModel"), "SPOT") == 0 ||
	       json_is_true(json_object_get(scheduling, "preemptible"));
}

/* Numbers of 64 bits are texts in Google's JSON. */
static int write_machine(const struct machines *machines, const json_t *machine)
{
	CLEANUP(json_decrefp) json_t *tags = gcp_tags(machine);
	const char *name = listing_text(machine, "name");
	const char *zone = gcp_last(listing_text(machine, "zone"));
	const char *hostname = listing_text(machine, "hostname");
	const char *started = listing_text(machine, "lastStartTimestamp");
	char group[512], region[64];

	if (!*listing_text(machine, "id") || !*zone)
		return 0;
	gcp_group_of(machines->groups, name, tags, group, sizeof(group));
	return listing_machine(
		machines->session->listing,
		&(struct listed_machine){
			.region = gcp_region(zone, region),
			.zone = zone,
			.id = listing_text(machine, "id"),
			.name = name,
			.hostname = *hostname ? hostname : name,
			.type = gcp_last(listing_text(machine, "machineType")),
			.purchase = is_spot(machine) ? "spot" : "on_demand",
			.state = state_of(listing_text(machine, "status")),
			.group = group,
			.launched_at =
				*started ? started : listing_text(machine, "creationTimestamp"),
			.tags = tags,
		});
}

static int take_page(void *context, const json_t *page, struct error *err)
{
	const struct machines *machines = context;
	const char *name;
	json_t *scope, *machine;
	size_t i;
	int rc = 0;

	gcp_regions_note(machines->regions, page);
	json_object_foreach(json_object_get(page, "items"), name, scope)
		json_array_foreach(json_object_get(scope, "instances"), i, machine) if (rc == 0)
			rc = write_machine(machines, machine);
	return rc;
}

int gcp_list_machines(struct gcp_session *session, const char *project, struct gcp_regions *regions,
		      struct error *err)
{
	CLEANUP(json_decrefp) json_t *groups = gcp_groups(session, project);
	struct machines machines = { session, regions, groups };

	return gcp_ask_pages(session, project, "instances", FIELDS, take_page, &machines, err);
}
