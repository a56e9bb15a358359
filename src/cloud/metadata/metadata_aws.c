/* SPDX-License-Identifier: Apache-2.0 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cloud/metadata/metadata_source.h"

/*
 * AWS, IMDSv2. Version 1, which needs no token, is not used.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-categories.html
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-identity-documents.html
 */
static bool take_id(struct cloud_machine *machine, const char *text)
{
	return cloud_machine_set(machine, CLOUD_INSTANCE_ID, text);
}

static bool take_type(struct cloud_machine *machine, const char *text)
{
	return cloud_machine_set(machine, CLOUD_INSTANCE_TYPE, text);
}

static bool take_zone(struct cloud_machine *machine, const char *text)
{
	return cloud_machine_set(machine, CLOUD_ZONE, text);
}

static bool take_region(struct cloud_machine *machine, const char *text)
{
	return cloud_machine_set(machine, CLOUD_REGION, text);
}

/* "on-demand", "spot", "scheduled", "capacity-block": only a spot instance is taken away. */
static bool take_life_cycle(struct cloud_machine *machine, const char *text)
{
	bool spot = strcmp(text, "spot") == 0;

	if (!spot && strcmp(text, "on-demand") != 0 && strcmp(text, "scheduled") != 0 &&
	    strcmp(text, "capacity-block") != 0)
		return false;
	return cloud_machine_set(machine, CLOUD_PURCHASE, spot ? "spot" : "on_demand");
}

static const char *member(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? text : "";
}

/* Its account; and it must be of this instance. */
static bool take_document(struct cloud_machine *machine, const char *text)
{
	json_t *document = json_loads(text, 0, NULL);
	bool fits =
		document &&
		strcmp(member(document, "instanceId"), machine->facts[CLOUD_INSTANCE_ID]) == 0 &&
		cloud_machine_set(machine, CLOUD_ACCOUNT_ID, member(document, "accountId"));

	json_decref(document);
	return fits;
}

#define META "/latest/meta-data/"

static const struct metadata_step steps[] = {
	{ META "instance-id", true, take_id },
	{ META "instance-type", false, take_type },
	{ META "placement/availability-zone", false, take_zone },
	{ META "placement/region", false, take_region },
	{ META "instance-life-cycle", false, take_life_cycle },
	{ "/latest/dynamic/instance-identity/document", false, take_document },
};

/* "2017-09-18T08:22:00Z" */
static bool is_instant(const char *text)
{
	struct tm time = { 0 };
	const char *end = strlen(text) == 20 ? strptime(text, "%Y-%m-%dT%H:%M:%SZ", &time) : NULL;

	return end && *end == '\0';
}

/* {"action": "terminate", "time": "2017-09-18T08:22:00Z"}; action: hibernate, stop, terminate.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html */
static bool take_action(const char *text, struct metadata_notice *ret)
{
	static const char *const actions[] = { "terminate", "stop", "hibernate" };
	json_t *document = json_loads(text, 0, NULL);
	const char *action = member(document, "action"), *at = member(document, "time");
	bool fits = false;

	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]) && is_instant(at); i++) {
		if (strcmp(action, actions[i]) != 0)
			continue;
		*ret = (struct metadata_notice){ .kind = "spot_interruption",
						 .words = "takes this spot instance away" };
		(void)snprintf(ret->detail, sizeof(ret->detail), "%s at %s", action, at);
		fits = true;
	}
	json_decref(document);
	return fits;
}

/* {"noticeTime": "2020-10-27T08:22:00Z"}
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/rebalance-recommendations.html */
static bool take_rebalance(const char *text, struct metadata_notice *ret)
{
	json_t *document = json_loads(text, 0, NULL);
	const char *at = member(document, "noticeTime");
	bool fits = is_instant(at);

	if (fits) {
		*ret = (struct metadata_notice){ .kind = "spot_rebalance",
						 .words = "may soon take this spot instance away" };
		(void)snprintf(ret->detail, sizeof(ret->detail), "recommended at %s", at);
	}
	json_decref(document);
	return fits;
}

static const struct metadata_watch watches[] = {
	{ META "spot/instance-action", take_action },
	{ META "events/recommendations/rebalance", take_rebalance },
};

const struct metadata_source metadata_aws = {
	.provider = "aws",
	.url = "http://169.254.169.254",
	.token_path = "/latest/api/token",
	.token_request_header = "X-aws-ec2-metadata-token-ttl-seconds: 21600",
	.token_header = "X-aws-ec2-metadata-token",
	.steps = steps,
	.step_count = sizeof(steps) / sizeof(steps[0]),
	.tags_path = META "tags/instance",
	.watches = watches,
	.watch_count = sizeof(watches) / sizeof(watches[0]),
};
