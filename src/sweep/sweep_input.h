/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "sweep/sweep_cloud.h"
#include "sweep/sweep_host.h"
#include "sweep/sweep_policy.h"
#include "sweep/sweep_work.h"

struct map;

/*
 * What a sweep looks at: plain values as of an instant, filled by the server from queries
 * (server/sweep/) and owned by it. 0, NULL and "" are unknown where nothing else is said. Instants
 * are ns since 1970.
 */
struct sweep_input {
	int64_t now_at;
	int64_t heard_since; /* since when agents can send: before, silence says nothing */
	const struct sweep_policy *policy;

	const struct sweep_host *hosts; /* that sent samples within the last days */
	size_t host_count;
	const struct map *host_index; /* by id (sweep_index.h); NULL: hosts are searched in turn */
	const struct sweep_session *sessions; /* that are open */
	size_t session_count;
	const struct sweep_task *tasks; /* that run */
	size_t task_count;
	const struct sweep_queue *queues;
	size_t queue_count;
	const struct sweep_repeat *repeats;
	size_t repeat_count;
	const struct sweep_folder *folders;
	size_t folder_count;
	const struct sweep_machine *machines; /* of providers */
	size_t machine_count;
	const struct sweep_volume *volumes;
	size_t volume_count;
};
