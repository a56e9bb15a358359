/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "inventory/aws/aws_list.h"
#include "inventory/aws/aws_session.h"

struct machines {
	struct listing *listing;
	const char *region;
	const json_t *groups; /* of ECS and Batch, by machine id */
};

/* A machine that has ended is listed for an hour; what does not run yet or no longer is shown. */
static bool is_gone(const char *state)
{
	return strcmp(state, "terminated") == 0 || strcmp(state, "shutting-down") == 0;
}

static int write_machine(const struct machines *machines, const json_t *machine)
{
	CLEANUP(json_decrefp) json_t *tags = aws_tags(machine);
	const char *id = listing_text(machine, "instanceId");
	const char *state = listing_text(json_object_get(machine, "instanceState"), "name");
	const char *lifecycle = listing_text(machine, "instanceLifecycle");
	const char *of_service = listing_text(machines->groups, id);
	char of_tags[512];

	if (!*id || is_gone(state))
		return 0;
	aws_group_of_tags(tags, of_tags, sizeof(of_tags));
	return listing_machine(
		machines->listing,
		&(struct listed_machine){
			.region = machines->region,
			.zone = listing_text(json_object_get(machine, "placement"),
					     "availabilityZone"),
			.id = id,
			.name = listing_text(tags, "Name"),
			.hostname = listing_text(machine, "privateDnsName"),
			.type = listing_text(machine, "instanceType"),
			.purchase = strcmp(lifecycle, "spot") == 0 ? "spot" : "on_demand",
			.image = listing_text(machine, "imageId"),
			.state = state,
			.group = *of_service ? of_service : of_tags,
			.launched_at = listing_text(machine, "launchTime"),
			.tags = tags,
		});
}

static int take_page(void *context, const json_t *page, struct error *err)
{
	const json_t *reservations = json_object_get(page, "reservationSet");
	json_t *reservation, *machine;
	size_t i, j;
	int rc = 0;

	if (!reservations)
		return error_set(err, -EPROTO,
				 "ec2 DescribeInstances: the answer has another form");
	json_array_foreach(reservations, i, reservation)
		json_array_foreach(json_object_get(reservation, "instancesSet"), j,
				   machine) if (rc == 0) rc = write_machine(context, machine);
	return rc;
}

int aws_list_machines(struct aws_session *session, const char *region, struct error *err)
{
	char more[64];
	CLEANUP(json_decrefp) json_t *groups = NULL;
	struct machines machines = { session->listing, region, NULL };
	const struct aws_call call = { .service = "ec2",
				       .region = region,
				       .action = "DescribeInstances",
				       .version = AWS_EC2_VERSION,
				       .path = "/",
				       .body = more };

	snprintf(more, sizeof(more), "&MaxResults=%u",
		 (unsigned)session->listing->account->page_size);
	groups = aws_groups_of_services(session, region);
	machines.groups = groups;
	return aws_ask_pages(session, &call, take_page, &machines, err);
}
