/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "sweep/cloud/cloud_words.h"

/* A machine that a provider lists as running, of which nothing is seen: it may work, or not. */

static int64_t known_since(const struct sweep_machine *machine)
{
	return machine->launched_at > machine->first_listed_at ? machine->launched_at
							       : machine->first_listed_at;
}

static bool is_found(const struct waste_finder *finder, const struct sweep_input *input,
		     const struct sweep_machine *machine)
{
	int64_t launched_at =
		machine->launched_at ? machine->launched_at : machine->first_listed_at;

	return machine->listed == SWEEP_LISTED && !machine->has_agent && !machine->by_design &&
	       input->now_at - launched_at >= sweep_limit_ns(input, SWEEP_AGENT_PATIENCE_S) &&
	       !cloud_is_exempted(finder, input, machine->name, machine->owner, machine->tags);
}

static char *write_summary(const struct sweep_input *input, const struct sweep_machine *machine)
{
	char ran[32] = "", *text = NULL;

	if (machine->launched_at)
		text_duration((uint64_t)(input->now_at - machine->launched_at), ran, sizeof(ran));
	return asprintf(&text,
			"%s lists %s of type %s in %s as running%s%s, and no agent reported "
			"from it within the last hour: what it does is not known.%s%s%s",
			strcmp(machine->provider, "gcp") == 0 ? "Google Cloud" : "AWS",
			*machine->name ? machine->name : machine->id, machine->type,
			machine->region, *ran ? " for " : "", ran,
			*machine->group ? " It is kept by " : "", machine->group,
			*machine->group ? "." : "") < 0
		       ? NULL
		       : text;
}

static char *write_evidence(const struct sweep_machine *machine)
{
	struct waste_evidence evidence;

	waste_evidence_begin(&evidence);
	waste_evidence_text(&evidence, "provider", machine->provider);
	waste_evidence_text(&evidence, "account", machine->account);
	waste_evidence_text(&evidence, "account_id", machine->account_id);
	waste_evidence_text(&evidence, "region", machine->region);
	waste_evidence_text(&evidence, "zone", machine->zone);
	waste_evidence_text(&evidence, "instance_type", machine->type);
	waste_evidence_text(&evidence, "purchase", machine->purchase);
	waste_evidence_text(&evidence, "image", machine->image);
	waste_evidence_text(&evidence, "group", machine->group);
	waste_evidence_i64(&evidence, "launched_at", machine->launched_at);
	waste_evidence_i64(&evidence, "listed_at", machine->listed_at);
	return waste_evidence_end(&evidence);
}

static const char LEAVE_GROUP[] = "aws autoscaling terminate-instance-in-auto-scaling-group "
				  "--should-decrement-desired-capacity --region ";

/* A group that keeps its size would start another machine in place of one that is stopped. */
static char *write_command(const struct sweep_machine *machine)
{
	bool scales = text_starts_with(machine->group, "Auto Scaling, ") ||
		      text_starts_with(machine->group, "EKS, ");
	const char *const stop_aws[] = { "aws ec2 stop-instances --region ", machine->region,
					 " --instance-ids ", machine->id, NULL };
	const char *const leave_group[] = { LEAVE_GROUP, machine->region, " --instance-id ",
					    machine->id, NULL };
	const char *const stop_gcp[] = { "gcloud compute instances stop --project=",
					 machine->account_id,
					 " --zone=",
					 machine->zone,
					 " -- ",
					 machine->name,
					 NULL };

	if (*machine->group && !scales)
		return NULL;
	if (strcmp(machine->provider, "gcp") == 0)
		return cloud_command(stop_gcp);
	return cloud_command(scales ? leave_group : stop_aws);
}

static char *write_advice(const struct sweep_machine *machine)
{
	return cloud_copy(
		*machine->group
			? "Install the agent in the image of its group, or make the group smaller; "
			  "a machine that is stopped by itself is replaced."
			: "Install the agent there, or stop it if no one needs it; the tag "
			  "tracer:idle=by-design silences this.");
}

static int add(const struct waste_finder *finder, const struct sweep_input *input,
	       const struct sweep_machine *machine, struct wastes *ret)
{
	return waste_add(finder, input,
			 (struct waste){
				 .subject = WASTE_MACHINE,
				 .id = cloud_copy(machine->id),
				 .name = cloud_name(machine->name, machine->id),
				 .who = cloud_copy(machine->owner),
				 .since_at = known_since(machine),
				 .nusd_hour = machine->nusd_hour,
				 .use_unknown = true,
				 .confidence = CONFIDENCE_LOW,
				 .summary = write_summary(input, machine),
				 .evidence = write_evidence(machine),
				 .advice = write_advice(machine),
				 .command = write_command(machine),
			 },
			 ret);
}

static int find(const struct waste_finder *finder, const struct sweep_input *input,
		struct wastes *ret)
{
	CLEANUP(freep)
	struct cloud_found *found = calloc(input->machine_count + 1, sizeof(*found));
	size_t count = 0;
	int rc = found ? 0 : -ENOMEM;

	for (size_t i = 0; rc == 0 && i < input->machine_count; i++) {
		const struct sweep_machine *machine = &input->machines[i];

		if (is_found(finder, input, machine))
			found[count++] =
				(struct cloud_found){ machine->nusd_hour, machine->id, machine };
	}
	count = found ? cloud_most_expensive(found, count) : 0;
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = add(finder, input, found[i].item, ret);
	return rc;
}

extern const struct waste_finder waste_machine_without_agent;
const struct waste_finder waste_machine_without_agent = {
	.name = "machine_without_agent",
	.title = "Machine without an agent",
	.find = find,
};
