/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>

#include "story.h"

/* What providers list: machines without an agent, volumes without a machine. */

static struct site_listed *add_listed(struct story *story, const char *provider,
				      int64_t launched_at)
{
	struct site *site = story->site;

	assert(site->listed_count < SITE_THINGS);
	struct site_listed *listed = &site->listed[site->listed_count++];

	*listed = (struct site_listed){
		.until = NEVER,
		.unlisted_since = NEVER,
		.facts = {
			.provider = provider,
			.account = "lab",
			.account_id = "111122223333",
			.tags = "{}",
			.first_listed_at = launched_at,
			.region = "eu-west-1",
			.zone = "eu-west-1a",
			.id = story_name(story, "i-0abc"),
			.name = story_name(story, "test-machine"),
			.type = "m6i.2xlarge",
			.purchase = "on_demand",
			.image = "ami-1",
			.group = "",
			.owner = story_user(story),
			.launched_at = launched_at,
			.nusd_hour = 384000000,
		},
	};
	return listed;
}

static struct site_listed *without_agent(struct story *story, const char *provider)
{
	return add_listed(story, provider,
			  story_onset(story, story_patience(story, SWEEP_AGENT_PATIENCE_S)));
}

static void machine_of_aws(struct story *story)
{
	without_agent(story, "aws");
}

static void machine_of_gcp(struct story *story)
{
	without_agent(story, "gcp")->facts.type = "n2-standard-8";
}

static void machine_of_batch(struct story *story)
{
	struct site_listed *listed = without_agent(story, "aws");

	listed->facts.group = "AWS Batch, compute environment x";
	listed->facts.purchase = "spot";
}

static void machine_of_nodes(struct story *story)
{
	without_agent(story, "aws")->facts.group = "EKS, node group y";
}

static void machine_without_price(struct story *story)
{
	struct site_listed *listed = without_agent(story, "gcp");

	listed->facts.nusd_hour = -1;
	listed->facts.name = listed->facts.owner = "";
}

static struct site_volume *add_volume(struct story *story)
{
	struct site *site = story->site;

	assert(site->volume_count < SITE_THINGS);
	struct site_volume *volume = &site->volumes[site->volume_count++];
	double gb = story_between(story, 8, 4000);

	*volume = (struct site_volume){
		.until = NEVER,
		.detached_at = NEVER,
		.facts = {
			.provider = "aws",
			.account = "lab",
			.account_id = "111122223333",
			.zone = "eu-west-1a",
			.tags = "{}",
			.region = "eu-west-1",
			.id = story_name(story, "vol-0abc"),
			.name = "",
			.type = "gp3",
			.owner = story_user(story),
			.bytes = (uint64_t)(gb * 1e9),
			.attached_to = "i-0abc",
			.created_at = site->since - 40 * DAY,
			.nusd_hour = (int64_t)(gb * 0.08 / 730 * 1e9),
		},
	};
	return volume;
}

static struct site_volume *detached(struct story *story)
{
	struct site_volume *volume = add_volume(story);

	volume->detached_at = story_onset(story, story_patience(story, SWEEP_VOLUME_PATIENCE_S));
	return volume;
}

static void volume_of_aws(struct story *story)
{
	detached(story);
}

static void volume_of_gcp(struct story *story)
{
	struct site_volume *volume = detached(story);

	volume->facts.provider = "gcp";
	volume->facts.type = "pd-ssd";
}

static void volume_never_attached(struct story *story)
{
	struct site_volume *volume = detached(story);

	volume->facts.created_at = volume->detached_at;
}

static void volume_without_price(struct story *story)
{
	detached(story)->facts.nusd_hour = -1;
}

static void small_volume(struct story *story)
{
	struct site_volume *volume = detached(story);

	volume->facts.bytes = 8000000000;
	volume->facts.nusd_hour = 877000;
}

/* From here on: all is well. */

static void just_launched(struct story *story)
{
	struct site_listed *listed =
		add_listed(story, "aws", story_time(story, story->site->since, story->site->until));
	int64_t at = listed->facts.launched_at + story_time(story, 2 * MINUTE, 12 * MINUTE);

	timeline_add(&listed->agent, (struct phase){ .since = at, .until = NEVER });
}

static void with_agent(struct story *story)
{
	struct site_listed *listed = add_listed(story, "gcp", story->site->since - DAY);

	timeline_add(&listed->agent,
		     (struct phase){ .since = story->site->since - DAY, .until = NEVER });
}

static void ended(struct story *story)
{
	struct site_listed *listed = without_agent(story, "aws");

	listed->until = story->onset_at + story_time(story, MINUTE, 9 * MINUTE);
}

static void not_listed_any_more(struct story *story)
{
	struct site_listed *listed = add_listed(story, "aws", story->site->since - 5 * DAY);

	listed->unlisted_since = story->site->since - story_time(story, 6 * HOUR, 3 * DAY);
	timeline_add(&listed->agent, (struct phase){ .since = story->site->since - 5 * DAY,
						     .until = listed->unlisted_since });
}

static void machine_by_design(struct story *story)
{
	without_agent(story, "aws")->facts.by_design = true;
}

static void attached(struct story *story)
{
	add_volume(story);
}

static void moved(struct story *story)
{
	struct site_volume *volume = detached(story);

	volume->detached_at = story->site->until - story_time(story, HOUR, 20 * HOUR);
}

static void volume_by_design(struct story *story)
{
	detached(story)->facts.by_design = true;
}

static void volume_removed(struct story *story)
{
	struct site_volume *volume = detached(story);

	volume->until = story->onset_at + story_time(story, HOUR, 22 * HOUR);
}

const struct story_plan STORIES_CLOUD[] = {
	{ "machine_without_agent", "AWS", NULL, machine_of_aws, false, false },
	{ "machine_without_agent", "GCP", NULL, machine_of_gcp, false, false },
	{ "machine_without_agent", "AWS Batch, spot", NULL, machine_of_batch, false, false },
	{ "machine_without_agent", "EKS", NULL, machine_of_nodes, false, false },
	{ "machine_without_agent", "without a price", NULL, machine_without_price, false, false },
	{ "volume_unused", "AWS", NULL, volume_of_aws, false, false },
	{ "volume_unused", "GCP", NULL, volume_of_gcp, false, false },
	{ "volume_unused", "never attached", NULL, volume_never_attached, false, false },
	{ "volume_unused", "without a price", NULL, volume_without_price, false, false },
	{ "volume_unused", "small", NULL, small_volume, false, false },
	{ NULL, "machine just launched", NULL, just_launched, false, false },
	{ NULL, "machine with an agent", NULL, with_agent, false, false },
	{ NULL, "machine ended", NULL, ended, false, false },
	{ NULL, "provider not asked for hours", NULL, not_listed_any_more, false, false },
	{ NULL, "machine without agent by design", NULL, machine_by_design, false, true },
	{ NULL, "volume attached", NULL, attached, false, false },
	{ NULL, "volume between two machines", NULL, moved, false, false },
	{ NULL, "volume kept by design", NULL, volume_by_design, false, true },
	{ NULL, "volume removed", NULL, volume_removed, false, false },
	{ 0 },
};
