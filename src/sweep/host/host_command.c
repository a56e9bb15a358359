/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/host/host_command.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "sweep/host/host_subject.h"
#include "sweep/shell_quote.h"

static void add_option(struct buffer *out, const char *option, const char *value)
{
	if (!host_text_is_known(value))
		return;
	buffer_append_text(out, option);
	shell_name(out, value);
}

/* A spot instance is ended: AWS stops only those of persistent requests. */
static void stop_aws(struct buffer *out, const struct sweep_host *host)
{
	bool spot = host_text_is_known(host->purchase) && strcmp(host->purchase, "spot") == 0;

	buffer_printf(out, "aws ec2 %s-instances --instance-ids ", spot ? "terminate" : "stop");
	shell_name(out, host->instance_id);
	add_option(out, " --region ", host->region);
}

/* The name of an instance is the first part of its host name. */
static void stop_gcp(struct buffer *out, const struct sweep_host *host)
{
	char name[256] = "";

	if (host_text_is_known(host->hostname))
		text_cut(host->hostname, strcspn(host->hostname, "."), name, sizeof(name));
	buffer_append_text(out, "gcloud compute instances stop ");
	shell_name(out, name);
	add_option(out, " --zone ", host->zone);
}

static void stop_by_ssh(struct buffer *out, const struct sweep_host *host)
{
	buffer_append_text(out, "ssh ");
	shell_name(out, host->hostname);
	buffer_append_text(out, " sudo shutdown -h now");
}

static const struct {
	const char *provider;
	void (*stop)(struct buffer *out, const struct sweep_host *host);
} providers[] = {
	{ "aws", stop_aws },
	{ "gcp", stop_gcp },
};

static void stop(struct buffer *out, const struct sweep_host *host)
{
	for (size_t i = 0; i < sizeof(providers) / sizeof(providers[0]); i++)
		if (host->provider && strcmp(host->provider, providers[i].provider) == 0) {
			providers[i].stop(out, host);
			return;
		}
	stop_by_ssh(out, host);
}

static const char *node_of(const struct sweep_host *host)
{
	return host_text_is_known(host->node) ? host->node : host->hostname;
}

/* Slurm reads lists ("n[1-9]", "a,b") and ALL as names of nodes: no such name is printed. */
static void drain_slurm(struct buffer *out, const struct sweep_host *host)
{
	const char *node = node_of(host);
	bool is_one = host_text_is_known(node) && strcasecmp(node, "ALL") != 0;

	for (const char *byte = node; is_one && *byte; byte++)
		is_one = text_is_alnum(*byte) || strchr("-_.", *byte);
	buffer_append_text(out, "scontrol update nodename=");
	shell_name(out, is_one ? node : NULL);
	buffer_append_text(out, " state=drain reason=idle");
}

static void drain_kubernetes(struct buffer *out, const struct sweep_host *host)
{
	buffer_append_text(out, "kubectl drain ");
	shell_name(out, node_of(host));
	buffer_append_text(out, " --ignore-daemonsets");
}

/* Of ECS a container instance has an ARN of its own, which is found by the id of the machine. */
static void drain_ecs(struct buffer *out, const struct sweep_host *host)
{
	CLEANUP(buffer_clear) struct buffer filter = { 0 };

	if (!host_text_is_known(host->cluster)) {
		stop(out, host);
		return;
	}
	buffer_init(&filter, 0);
	buffer_printf(&filter, "ec2InstanceId == %s", host->instance_id ? host->instance_id : "");
	buffer_append_text(out, "aws ecs update-container-instances-state --status DRAINING "
				"--cluster ");
	shell_name(out, host->cluster);
	add_option(out, " --region ", host->region);
	buffer_append_text(out, " --container-instances $(aws ecs list-container-instances "
				"--cluster ");
	shell_name(out, host->cluster);
	add_option(out, " --region ", host->region);
	buffer_append_text(out, " --filter ");
	shell_name(out, host_text_is_known(host->instance_id) ? filter.data : NULL);
	buffer_append_text(out, " --query containerInstanceArns --output text)");
	out->failed |= filter.failed;
}

static void (*const drains[WORKERS])(struct buffer *out, const struct sweep_host *host) = {
	[WORKER_NONE] = stop,     [WORKER_SLURM] = drain_slurm,
	[WORKER_ECS] = drain_ecs, [WORKER_KUBERNETES] = drain_kubernetes,
	[WORKER_OTHER] = stop,
};

static char *write(void (*command)(struct buffer *out, const struct sweep_host *host),
		   const struct sweep_host *host)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };

	buffer_init(&out, 0);
	command(&out, host);
	return buffer_take(&out);
}

char *host_stop_command(const struct sweep_host *host)
{
	return write(stop, host);
}

char *host_drain_command(const struct sweep_host *host)
{
	return write(drains[host->worker], host);
}
