/* SPDX-License-Identifier: Apache-2.0 */
#include "story.h"

#include <math.h>

#define LEAD (20 * MINUTE) /* of the time that is swept, before a waste is due, and after it */

double story_share(struct story *story)
{
	return (double)chance_below(&story->chance, UINT64_C(1) << 53) /
	       (double)(UINT64_C(1) << 53);
}

double story_between(struct story *story, double least, double most)
{
	return least + (most - least) * story_share(story);
}

int64_t story_time(struct story *story, int64_t least, int64_t most)
{
	return least + (int64_t)((double)(most - least) * story_share(story));
}

bool story_chance(struct story *story, double share)
{
	return story_share(story) < share;
}

const char *story_name(struct story *story, const char *name)
{
	return site_text(story->site, "s%05u-%s", story->number, name);
}

const char *story_user(struct story *story)
{
	static const char *const USERS[] = { "ann", "bob", "carla", "dmitri", "emine", "fatou" };

	return USERS[chance_below(&story->chance, sizeof(USERS) / sizeof(USERS[0]))];
}

int64_t story_patience(const struct story *story, enum sweep_threshold threshold)
{
	return (int64_t)story->site->policy->thresholds[threshold] * SECOND;
}

int64_t story_onset(struct story *story, int64_t patience)
{
	story->due_at = story_time(story, story->site->since + LEAD, story->site->until - LEAD);
	story->onset_at = story->due_at - patience;
	return story->onset_at;
}

static double log_between(struct story *story, double least, double most)
{
	return exp(story_between(story, log(least), log(most)));
}

struct machine *story_machine(struct story *story, const char *name)
{
	static const double CPUS[] = { 4, 8, 8, 16, 32, 48, 64, 96 };
	static const char *const PROVIDERS[] = { "aws", "aws", "gcp", "" };
	struct machine *machine = site_machine(story->site);
	double cpus = CPUS[chance_below(&story->chance, 8)];
	const char *provider = PROVIDERS[chance_below(&story->chance, 4)];

	machine->seed = chance_below(&story->chance, UINT64_MAX);
	machine->booted_at = story->site->since - story_time(story, 15 * DAY, 60 * DAY);
	machine->base_cpu = log_between(story, 0.008, 0.2) / cpus;
	machine->base_memory = story_between(story, 0.03, 0.12);
	machine->base_disk_bytes_s = log_between(story, 3e3, 8e4);
	/* From a machine with nothing but NTP to one with monitoring: CloudWatch's agent sends
	 * some hundred bytes a second. */
	machine->base_net_bytes_s = log_between(story, 20, 2e4);
	machine->facts = (struct sweep_host){
		.id = story_name(story, name),
		.hostname = story_name(story, name),
		.provider = provider,
		.region = *provider ? "eu-west-1" : "",
		.instance_type = *provider ? "m6i.xlarge" : "",
		.instance_id = *provider ? story_name(story, "i-0abc") : "",
		.purchase = *provider ? "on_demand" : "",
		.cpus = cpus,
		.memory_bytes = (uint64_t)cpus * (UINT64_C(4) << 30),
		.nusd_hour = story_chance(story, 0.85) ? (int64_t)(cpus * 48e6) : -1,
		.worker_name = "",
		.node = "",
		.zone = *provider ? "eu-west-1a" : "",
		.tags = "{}",
		.cluster = "",
		.users = story_user(story),
		.spot_nusd_hour = -1,
		.smaller_nusd_hour = -1,
	};
	if (!story->machine)
		story->machine = machine;
	return machine;
}

void story_resize(struct machine *machine, double cpus)
{
	machine->base_cpu *= machine->facts.cpus / cpus;
	machine->facts.cpus = cpus;
	machine->facts.memory_bytes = (uint64_t)cpus * (UINT64_C(4) << 30);
}

void story_busy(struct story *story, struct machine *machine, int64_t since, int64_t until)
{
	if (until == story->site->until)
		until = NEVER;
	machine_load(machine, (struct load){
				      .phase = { .since = since, .until = until },
				      .tracked = true,
				      .cpu = story_between(story, 0.62, 0.93),
				      .memory = story_between(story, 0.1, 0.75),
				      .disk_bytes_s = story_between(story, 1e6, 2e8),
				      .net_bytes_s = story_between(story, 1e4, 2e7),
				      .spread = 0.12,
			      });
}

void story_busy_until(struct story *story, struct machine *machine, int64_t until, int64_t lasts)
{
	int64_t last = until - lasts - story_time(story, 0, HOUR), swept = story->site->since;

	/* Pauses before it, as of a night, are over when the sweeps begin. */
	if (last > swept - HOUR)
		last = swept - HOUR;

	if (last > machine->booted_at + DAY)
		machine_load(machine,
			     (struct load){
				     .phase = { .since = machine->booted_at,
						.until = last - 20 * MINUTE,
						.every = 9 * HOUR,
						.lasts = story_time(story, 2 * HOUR, 5 * HOUR),
						.shift = 3 * HOUR },
				     .tracked = true,
				     .cpu = story_between(story, 0.65, 0.9),
				     .memory = story_between(story, 0.2, 0.7),
				     .disk_bytes_s = 2e7,
				     .net_bytes_s = 2e6,
				     .spread = 0.15,
			     });
	story_busy(story, machine, last > machine->booted_at ? last : machine->booted_at, until);
}
