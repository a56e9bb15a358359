/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/agent/agent_private.h"

#include "base/json.h"
#include "base/log.h"
#include "collect/agent/agent.h"

/* Messages take char *, and the outbox copies them without writing. */
static char *text(const char *value)
{
	return (char *)(uintptr_t)value;
}

static char *either(char *configured, const struct cloud_machine *machine, enum cloud_fact fact)
{
	return *configured ? configured : text(machine->facts[fact]);
}

void agent_cloud_fill(struct agent *agent, Signal__Host *ret)
{
	const struct agent_options *options = agent->options;
	const struct cloud_machine *machine = metadata_machine(agent->metadata);

	ret->provider = *options->provider ? options->provider : text(machine->provider);
	ret->region = either(options->region, machine, CLOUD_REGION);
	ret->zone = either(options->zone, machine, CLOUD_ZONE);
	ret->instance_type = either(options->instance_type, machine, CLOUD_INSTANCE_TYPE);
	ret->instance_id = text(machine->facts[CLOUD_INSTANCE_ID]);
	ret->account_id = text(machine->facts[CLOUD_ACCOUNT_ID]);
	ret->purchase = text(machine->facts[CLOUD_PURCHASE]);
	ret->tags = agent->tags.list;
	ret->n_tags = agent->tags.count;
}

static void on_changed(void *context)
{
	struct agent *agent = context;
	struct metadata_status status = metadata_status(agent->metadata);

	if (!status.answered) {
		log_info("the metadata service of %s does not say who this machine is: %s%s",
			 status.provider, status.words,
			 status.over ? "; it is not asked again" : "");
		return;
	}
	host_tags_take(&agent->tags, metadata_machine(agent->metadata));
	if (!agent->stopping)
		agent_host_send(agent, 0);
}

static void on_notice(const struct metadata_notice *notice, void *context)
{
	struct agent *agent = context;

	notices_tell(&agent->notices, notice);
}

int agent_cloud_open(struct agent *agent, struct error *err)
{
	const struct agent_options *options = agent->options;
	const struct metadata_options wanted = { .cloud = options->cloud,
						 .provider = options->provider,
						 .url = options->metadata_url,
						 .root = "" };
	const struct metadata_listener listener = { on_changed, on_notice, agent };

	agent->notices = (struct notices){ .processes = agent->pipeline.processes,
					   .clock = &agent->pipeline.clock,
					   .outbox = agent->outbox };
	return metadata_new(&agent->metadata, agent->base, &wanted, &listener, err);
}

void agent_cloud_close(struct agent *agent)
{
	metadata_free(agent->metadata);
	host_tags_clear(&agent->tags);
	notices_clear(&agent->notices);
}

static void member(struct json *json, const char *key, const char *value)
{
	json_key(json, key);
	json_text(json, value);
}

void agent_cloud_status(const struct agent *agent, struct json *json)
{
	struct metadata_status status = metadata_status(agent->metadata);
	const struct cloud_machine *machine = metadata_machine(agent->metadata);

	json_key(json, "cloud");
	json_object_begin(json);
	member(json, "provider", status.provider);
	member(json, "by", status.by);
	json_key(json, "answered");
	json_bool(json, status.answered);
	member(json, "instance_id", machine->facts[CLOUD_INSTANCE_ID]);
	member(json, "error", status.words);
	json_object_end(json);
}
