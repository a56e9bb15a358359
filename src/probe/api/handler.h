/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "probe/api/file_record.h"
#include "probe/api/io_record.h"
#include "probe/api/network_record.h"
#include "probe/api/open_record.h"
#include "probe/api/record.h"
#include "probe/api/syscall_record.h"

/* The callbacks of the probe's caller: probe_poll, probe_scan and probe_sample call them, one for
 * each kind of record. Texts and pointers in a record are valid during the call only. A NULL member
 * is not called. */
struct probe_handler {
	void (*on_fork)(void *context, const struct probe_fork *fork);
	void (*on_image)(void *context, const struct probe_image *image);
	void (*on_kill)(void *context, const struct probe_kill *kill);
	void (*on_attempt)(void *context, const struct probe_attempt *attempt);
	void (*on_opens_failed)(void *context, const struct probe_opens *opens);
	void (*on_exit)(void *context, const struct probe_exit *exit);
	void (*on_residual)(void *context, const struct probe_residual *residual);
	void (*on_network)(void *context, const struct probe_network *network);
	void (*on_alive)(void *context, const struct probe_alive *alive);
	/* A new cgroup, or the end of a watched one. */
	void (*on_cgroup)(void *context, const struct probe_cgroup *cgroup);
	void (*on_file)(void *context, const struct probe_file *file);
	void (*on_connect_failed)(void *context, const struct probe_connect_failure *failure);
	void (*on_folder)(void *context, const struct probe_folder *folder);
	void (*on_io)(void *context, const struct probe_io *io);
	void (*on_syscall)(void *context, const struct probe_syscall *call);
	/* Whether probe_scan must begin to track this process whatever its program is called. */
	bool (*is_known)(void *context, const struct probe_key *key);
	void *context;
};
