/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/load/syscall_tracepoints.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "probe/abi/process.h"
#include "probe/abi/syscall_tracepoints_state.h"
#include "probe/api/probe.h"
#include "probe/load/open_probe.h"
#include "probe/load/tracefs.h"
#include "process.skel.h"

/* The tracepoint of each program, and what is not seen without it (NULL: a kernel may lack the
 * call).
 */
static const struct {
	const char *program, *event, *lost;
} tracepoints[SYSCALL_TRACEPOINTS_MAX] = {
	{ "on_close", "sys_enter_close", "files that are closed before their process ends" },
	{ "on_open_failed", "sys_exit_openat", "files that cannot be opened" },
	{ "on_open_failed", "sys_exit_openat2", NULL },
	{ "on_open_failed", "sys_exit_open", NULL }, /* arm64 has no open, no creat */
	{ "on_open_failed", "sys_exit_creat", NULL },
	{ "on_write_failed", "sys_exit_write", "writes that find no space" },
	{ "on_write_failed", "sys_exit_pwrite64", NULL },
	{ "on_write_failed", "sys_exit_writev", NULL },
	{ "on_write_failed", "sys_exit_pwritev", NULL },
	{ "on_write_failed", "sys_exit_pwritev2", NULL },
	{ "on_write_failed", "sys_exit_fallocate", NULL },
	{ "on_write_failed", "sys_exit_copy_file_range", NULL },
	{ "on_write_failed", "sys_exit_sendfile64", NULL },
	{ "on_folder_made", "sys_exit_mkdirat", "folders of tasks that are yet to begin" },
	{ "on_folder_made", "sys_exit_mkdir", NULL },
	{ "on_exec_exit", "sys_exit_execve", "execs that fail" },
	{ "on_exec_exit", "sys_exit_execveat", NULL },
	{ "on_connect_exit", "sys_exit_connect", "connections that the host refuses" },
};

static const struct bpf_program *program_of(const struct probe *probe, size_t i)
{
	return bpf_object__find_program_by_name(probe->skel->obj, tracepoints[i].program);
}

static void set_state(struct probe *probe, enum syscall_tracepoints_state state)
{
	*(volatile uint32_t *)&probe->skel->bss->syscall_tracepoints = state;
}

static enum syscall_tracepoints_state state_of(const struct probe *probe)
{
	return *(const volatile uint32_t *)&probe->skel->bss->syscall_tracepoints;
}

static void attach(struct probe *probe)
{
	uint64_t began_ns = clock_boot_ns();
	int code = 0;

	/* Set first, so that a process that begins from here on does not ask for it again. */
	set_state(probe, SYSCALL_TRACEPOINTS_ATTACHED);
	for (size_t i = 0; i < SYSCALL_TRACEPOINTS_MAX; i++)
		if (probe->tracepoint_ids[i] > 0 && !probe->tracepoint_links[i] && !code)
			code = tracefs_attach(probe->tracepoint_ids[i], program_of(probe, i),
					      &probe->tracepoint_links[i]);
	if (code)
		log_warning("system calls cannot be observed: %s: figures of files and of "
			    "failed execs are incomplete",
			    strerror(-code));
	log_debug("system calls are observed; attaching took %" PRIu64 " us",
		  (uint64_t)((clock_boot_ns() - began_ns) / NS_PER_US));
}

static void find(struct probe *probe, size_t i, int folder)
{
	int id = folder < 0 ? folder : tracefs_id(folder, "syscalls", tracepoints[i].event);

	if (bpf_program__fd(program_of(probe, i)) < 0)
		return;
	probe->tracepoint_ids[i] = id;
	if (id > 0)
		set_state(probe, SYSCALL_TRACEPOINTS_DETACHED);
	else if (tracepoints[i].lost)
		log_warning("%s are not seen: the system calls' tracepoints: %s",
			    tracepoints[i].lost, strerror(-id));
}

void syscall_tracepoints_open(struct probe *probe, bool hold)
{
	CLEANUP(closep) int folder = tracefs_open();

	for (size_t i = 0; i < SYSCALL_TRACEPOINTS_MAX; i++)
		find(probe, i, folder);
	probe->tracepoints_held = hold;
	syscall_tracepoints_update(probe, hold);
}

void syscall_tracepoints_update(struct probe *probe, bool any_alive)
{
	enum syscall_tracepoints_state state = state_of(probe);

	if (state == SYSCALL_TRACEPOINTS_DUE ||
	    (state == SYSCALL_TRACEPOINTS_DETACHED && any_alive))
		attach(probe);
}

void syscall_tracepoints_close(struct probe *probe)
{
	for (size_t i = 0; i < SYSCALL_TRACEPOINTS_MAX; i++) {
		bpf_link__destroy(probe->tracepoint_links[i]);
		probe->tracepoint_links[i] = NULL;
	}
}

static size_t attached(const struct probe *probe)
{
	size_t count = 0;

	for (size_t i = 0; i < SYSCALL_TRACEPOINTS_MAX; i++)
		count += probe->tracepoint_links[i] != NULL;
	return count;
}

static void detach_one(struct probe *probe)
{
	for (size_t i = 0; i < SYSCALL_TRACEPOINTS_MAX; i++) {
		if (!probe->tracepoint_links[i])
			continue;
		bpf_link__destroy(probe->tracepoint_links[i]);
		probe->tracepoint_links[i] = NULL;
		return;
	}
}

void probe_detach_syscall_tracepoint(struct probe *probe)
{
	enum syscall_tracepoints_state state = state_of(probe);

	if (probe->tracepoints_held || !attached(probe) || state == SYSCALL_TRACEPOINTS_DUE)
		return;
	set_state(probe, SYSCALL_TRACEPOINTS_DETACHED);
	/* A process that began just before the state changed did not ask for them, but left a
	 * record. */
	if (state == SYSCALL_TRACEPOINTS_ATTACHED && probe_poll(probe, 0) != 0)
		syscall_tracepoints_update(probe, true);
	else
		detach_one(probe);
}

bool probe_syscall_tracepoints_attached(const struct probe *probe)
{
	return attached(probe) > 0;
}

void syscall_tracepoints_leave_out_files(struct probe *probe)
{
	static const char *const others[] = { "on_exec_files",  "on_flush",      "on_filp_close",
					      "on_openat2",     "on_write",      "on_writev",
					      "on_fallocate",   "on_copy_range", "on_sendfile",
					      "on_written_back" };
	struct bpf_program *program;

	probe->skel->rodata->files_off = true;
	for (size_t i = 0; i < SYSCALL_TRACEPOINTS_MAX; i++) {
		program =
			bpf_object__find_program_by_name(probe->skel->obj, tracepoints[i].program);
		bpf_program__set_autoload(program, false);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		program = bpf_object__find_program_by_name(probe->skel->obj, others[i]);
		bpf_program__set_autoload(program, false);
	}
}
