/* SPDX-License-Identifier: Apache-2.0 */
#include "server/sweep/sweep_source.h"

#include "server/server.h"

int sweep_source_read(struct server *server, int64_t now_at, struct sweep_source *ret,
		      struct error *err)
{
	int rc = sweep_hosts_read(server, now_at, &ret->hosts, err);

	if (rc == 0)
		rc = sweep_cloud_read(server, now_at, &ret->cloud, err);
	if (rc == 0)
		rc = sweep_work_read(server, now_at, &ret->hosts, &ret->work, err);
	if (rc)
		return rc;
	ret->input = (struct sweep_input){
		.now_at = now_at,
		.policy = server->waste_policy,
		.hosts = ret->hosts.hosts,
		.host_count = ret->hosts.count,
		.sessions = ret->hosts.sessions,
		.session_count = ret->hosts.session_count,
		.queues = ret->hosts.queues,
		.queue_count = ret->hosts.queue_count,
		.tasks = ret->work.tasks,
		.task_count = ret->work.task_count,
		.repeats = ret->work.repeats,
		.repeat_count = ret->work.repeat_count,
		.folders = ret->work.folders,
		.folder_count = ret->work.folder_count,
		.machines = ret->cloud.machines,
		.machine_count = ret->cloud.machine_count,
		.volumes = ret->cloud.volumes,
		.volume_count = ret->cloud.volume_count,
	};
	return 0;
}

void sweep_source_clear(struct sweep_source *source)
{
	sweep_hosts_clear(&source->hosts);
	sweep_cloud_clear(&source->cloud);
	sweep_work_clear(&source->work);
}
