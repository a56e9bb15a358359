/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/api/hooks.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/text.h"
#include "probe/load/kernel.h"

#if defined(__x86_64__)
#define EXECVE  "__x64_sys_execve"
#define MKDIRAT "__x64_sys_mkdirat"
#elif defined(__aarch64__)
#define EXECVE  "__arm64_sys_execve"
#define MKDIRAT "__arm64_sys_mkdirat"
#endif

enum kind { FENTRY, FEXIT, KPROBE, TP_BTF, TRACEPOINT, ITERATOR, FIELD };

/* Each kind of hook: its name in --force-hook ("": it has none), and its prefix in the name of a
 * hook. */
static const struct {
	const char *forced, *prefix;
} kinds[] = {
	[FENTRY] = { "fentry", "fentry" },
	[FEXIT] = { "fentry", "fexit" },
	[KPROBE] = { "kprobe", "kprobe" },
	[TP_BTF] = { "tracepoint", "tp_btf" },
	[TRACEPOINT] = { "tracepoint", "tracepoint" },
	[ITERATOR] = { "", "iter" },
	[FIELD] = { "", "field" },
};

/* One way to serve a figure. */
struct way {
	const char *figure; /* ways of one figure follow each other, the best first */
	enum kind kind;
	const char *target;
	bool (*is_here)(const char *target);
	const char *programs; /* names; "": programs that other figures need as well */
	const char *note;     /* why a kernel may lack it; NULL: no note */
};

static bool exit_precedes_memory(const char *target)
{
	return kernel_tracepoint_args(target) > 1;
}

static bool switch_gives_state(const char *target)
{
	return kernel_tracepoint_args(target) > 3;
}

static bool resend_gives_error(const char *target)
{
	return kernel_tracepoint_args(target) > 2;
}

/* If the kernel keeps pressure figures, it marks the threads that reclaim memory. */
static bool keeps_pressure(const char *target)
{
	return access("/proc/pressure/memory", R_OK) == 0;
}

static bool victim_is_task(const char *target)
{
	return kernel_tracepoint_args(target) > 1;
}

static bool victim_is_pid(const char *target)
{
	return kernel_tracepoint_args(target) == 1;
}

/* Since 6.6 close(2) does not call it. */
static bool closes_all(const char *target)
{
	return kernel_version() < 6006 && kernel_allows_fentry(target);
}

/* Known only when it is attached: tracefs is not mounted everywhere. */
static bool may_be_here(const char *target)
{
	return true;
}

static bool has_iterator(const char *target)
{
	return kernel_has_function("bpf_iter_task");
}

#define LIFE      "processes, their ends and totals"
#define LIVING    "figures of live processes"
#define PEAK_EXEC "exact peak memory at exec"
#define PEAK_EXIT "exact peak memory at exit"
#define TIMES     "why threads waited"
#define WAKERS    "what woke a thread"
#define RECLAIM   "reclaim as paging"
#define ATTEMPTS  "execs that fail"
#define PREPARED  "folders of prepared tasks"
#define VICTIMS   "victims of the OOM killer"

#define TRAFFIC "bytes through sockets"
#define SOCKETS "connections"
#define REJECTS "connections that the host refuses"
#define RESENT  "TCP retransmissions"
#define CGROUPS "containers' begin and end"
#define FILES   "files"
#define REFUSED "files that cannot be opened"
#define DISKS   "requests to disks by process"
#define ANSWERS "latency of disks"
#define CALLS   "system calls (with --syscalls)"
#define WRITES  "writes that fail"
#define WRITTEN "writes that fail later"

static const struct way ways[] = {
	{ LIFE, TP_BTF, "sched_process_fork", kernel_has_tracepoint, "", NULL },
	{ LIVING, ITERATOR, "task", has_iterator, "", NULL },
	{ PEAK_EXEC, TP_BTF, "sched_prepare_exec", kernel_has_tracepoint, "on_prepare_exec",
	  "(Linux 6.10 has it)" },
	{ PEAK_EXEC, FENTRY, "begin_new_exec", kernel_allows_fentry, "on_begin_new_exec", NULL },
	{ PEAK_EXEC, KPROBE, "begin_new_exec", kernel_allows_kprobe, "on_begin_new_exec_kprobe",
	  NULL },
	{ PEAK_EXIT, TP_BTF, "sched_process_exit", exit_precedes_memory, "",
	  "before memory goes (Linux 6.16)" },
	{ PEAK_EXIT, FENTRY, "taskstats_exit", kernel_allows_fentry, "on_taskstats_exit", NULL },
	{ PEAK_EXIT, KPROBE, "taskstats_exit", kernel_allows_kprobe, "on_taskstats_exit_kprobe",
	  NULL },
	{ TIMES, TP_BTF, "sched_switch", switch_gives_state, "on_switch",
	  "with the state (Linux 5.18)" },
	{ TIMES, TP_BTF, "sched_switch", kernel_has_tracepoint, "on_switch_of_two", NULL },
	{ WAKERS, TP_BTF, "sched_waking", kernel_has_tracepoint, "on_waking", NULL },
	{ RECLAIM, FIELD, "task_struct.in_memstall", keeps_pressure, "",
	  "(pressure figures are off)" },
	{ RECLAIM, TP_BTF, "mm_vmscan_direct_reclaim_begin", kernel_has_tracepoint,
	  "on_reclaim_begin on_reclaim_end on_memcg_reclaim_begin on_memcg_reclaim_end "
	  "on_compaction_begin on_compaction_end",
	  NULL },
	{ ATTEMPTS, FEXIT, EXECVE, kernel_allows_fexit, "on_execve on_execveat", NULL },
	{ ATTEMPTS, TRACEPOINT, "syscalls/sys_exit_execve", may_be_here, "on_exec_exit", NULL },
	{ PREPARED, FEXIT, MKDIRAT, kernel_allows_fexit, "on_mkdirat on_mkdir", NULL },
	{ PREPARED, TRACEPOINT, "syscalls/sys_exit_mkdirat", may_be_here, "on_folder_made", NULL },
	{ FILES, FENTRY, "filp_flush", kernel_allows_fentry, "on_flush", "(Linux 6.6 has it)" },
	{ FILES, FENTRY, "filp_close", closes_all, "on_filp_close", "(up to Linux 6.5)" },
	{ FILES, TRACEPOINT, "syscalls/sys_enter_close", may_be_here, "on_close", NULL },
	{ REFUSED, FEXIT, "do_sys_openat2", kernel_allows_fexit, "on_openat2", NULL },
	{ REFUSED, TRACEPOINT, "syscalls/sys_exit_openat", may_be_here, "on_open_failed", NULL },
	{ WRITES, FEXIT, "vfs_write", kernel_allows_fexit,
	  "on_write on_writev on_fallocate on_copy_range on_sendfile", NULL },
	{ WRITES, TRACEPOINT, "syscalls/sys_exit_write", may_be_here, "on_write_failed", NULL },
	{ WRITTEN, TP_BTF, "file_check_and_advance_wb_err", kernel_has_tracepoint,
	  "on_written_back", NULL },
	{ VICTIMS, TP_BTF, "mark_victim", victim_is_task, "on_victim",
	  "with the task (after Linux 6.8)" },
	{ VICTIMS, TP_BTF, "mark_victim", victim_is_pid, "on_victim_pid", NULL },
	{ TRAFFIC, TP_BTF, "sock_send_length", kernel_has_tracepoint,
	  "on_socket_send on_socket_receive", "(Linux 6.3 has it)" },
	{ TRAFFIC, FEXIT, "inet_sendmsg", kernel_allows_fexit,
	  "on_inet_send on_inet6_send on_inet_sendpage on_inet_receive on_inet6_receive "
	  "on_stream_send on_stream_sendpage on_stream_receive on_dgram_send on_dgram_receive",
	  NULL },
	{ TRAFFIC, KPROBE, "inet_sendmsg", kernel_allows_kprobe,
	  "on_send_begins on_send_ends on_receive_begins on_receive_ends", NULL },
	{ SOCKETS, TP_BTF, "inet_sock_set_state", kernel_has_tracepoint,
	  "on_socket_state on_reset_sent on_reset_received", NULL },
	{ REJECTS, FEXIT, "inet_stream_connect", kernel_allows_fexit, "on_connect", NULL },
	{ REJECTS, TRACEPOINT, "syscalls/sys_exit_connect", may_be_here, "on_connect_exit", NULL },
	{ RESENT, TP_BTF, "tcp_retransmit_skb", resend_gives_error, "on_retransmit",
	  "with the error (Linux 6.16)" },
	{ RESENT, TP_BTF, "tcp_retransmit_skb", kernel_has_tracepoint, "on_retransmit_of_two",
	  NULL },
	{ CGROUPS, TP_BTF, "cgroup_mkdir", kernel_has_tracepoint, "on_cgroup_mkdir on_cgroup_rmdir",
	  NULL },
	{ DISKS, TP_BTF, "block_io_start", kernel_has_tracepoint, "on_io_start",
	  "(Linux 6.5 has it)" },
	{ DISKS, TP_BTF, "block_rq_issue", kernel_has_tracepoint, "on_io_insert on_io_issue",
	  "but flushes" },
	{ ANSWERS, TP_BTF, "block_rq_complete", kernel_has_tracepoint, "on_io_complete on_io_merge",
	  NULL },
	{ CALLS, TP_BTF, "sys_enter", kernel_has_tracepoint,
	  "on_sys_enter on_sys_exit sample_syscalls", NULL },
};

#define WAYS (sizeof(ways) / sizeof(ways[0]))

/* The end of the ways that serve the same figure as `first`. */
static size_t end_of(size_t first)
{
	size_t end = first + 1;

	while (end < WAYS && strcmp(ways[end].figure, ways[first].figure) == 0)
		end++;
	return end;
}

static bool is_of(const struct way *way, const char *forced)
{
	return strcmp(kinds[way->kind].forced, forced) == 0;
}

/* Whether the figure has a way of this kind. */
static bool can_force(size_t first, const char *forced)
{
	for (size_t i = first; i < end_of(first); i++)
		if (*forced && is_of(&ways[i], forced))
			return true;
	return false;
}

/* The first way of a kind that this kernel has; forced "": of any kind. NULL: none. */
static const struct way *first_here(size_t first, const char *forced)
{
	for (size_t i = first; i < end_of(first); i++)
		if ((!*forced || is_of(&ways[i], forced)) && ways[i].is_here(ways[i].target))
			return &ways[i];
	return NULL;
}

static const struct way *last_here(size_t first)
{
	for (size_t i = end_of(first); i-- > first;)
		if (ways[i].is_here(ways[i].target))
			return &ways[i];
	return NULL;
}

/* Even a program of the chosen way may be for a tracepoint or a function that this kernel lacks. */
static bool is_served(const struct bpf_program *program)
{
	const char *section = bpf_program__section_name(program);

	if (text_starts_with(section, "fexit/"))
		return kernel_has_function(section + strlen("fexit/"));
	return !text_starts_with(section, "tp_btf/") ||
	       kernel_has_tracepoint(section + strlen("tp_btf/"));
}

static bool has_word(const char *words, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at += len)
		if ((at == words || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
			return true;
	return false;
}

static void load_only(struct bpf_object *object, size_t first, const struct way *chosen)
{
	struct bpf_program *program;

	for (size_t i = first; i < end_of(first); i++)
		bpf_object__for_each_program(
			program, object) if (has_word(ways[i].programs, bpf_program__name(program)))
			bpf_program__set_autoload(program,
						  &ways[i] == chosen && is_served(program));
}

static bool is_known(const char *forced)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].forced, forced) == 0)
			return true;
	return strcmp(forced, "last") == 0;
}

int hooks_choose(struct bpf_object *object, const char *forced, struct error *err)
{
	if (!forced)
		forced = "";
	if (!is_known(forced))
		return error_set(err, -EINVAL,
				 "force-hook must be fentry, kprobe, tracepoint or last, not '%s'",
				 forced);
	for (size_t first = 0; first < WAYS; first = end_of(first)) {
		bool must = can_force(first, forced);
		const struct way *way = strcmp(forced, "last") == 0
						? last_here(first)
						: first_here(first, must ? forced : "");

		if (must && !way)
			return error_set(err, -ENOTSUP,
					 "force-hook %s: '%s' cannot be served by one: this "
					 "kernel has none for it, or does not allow it",
					 forced, ways[first].figure);
		load_only(object, first, way);
	}
	return 0;
}

static void name_of(const struct way *way, char *text, size_t size)
{
	snprintf(text, size, "%s/%s", kinds[way->kind].prefix, way->target);
}

/* Why the ways before the chosen one do not work. */
static void explain(size_t first, const struct way *chosen, struct probe_hook *hook)
{
	char better[96];
	size_t len = 0;

	snprintf(hook->why, sizeof(hook->why), "%s",
		 end_of(first) - first > 1 ? "the first choice" : "the only way");
	for (size_t i = first; i < end_of(first) && &ways[i] != chosen; i++) {
		name_of(&ways[i], better, sizeof(better));
		if (len < sizeof(hook->why))
			len += (size_t)snprintf(hook->why + len, sizeof(hook->why) - len,
						"%sno %s%s%s", len ? ", " : "", better,
						ways[i].note ? " " : "",
						ways[i].note ? ways[i].note : "");
	}
	if (chosen && chosen->kind == TRACEPOINT && len < sizeof(hook->why))
		snprintf(hook->why + len, sizeof(hook->why) - len,
			 "; attached while tracked work runs");
}

size_t probe_hooks(struct probe_hook *hooks, size_t cap)
{
	size_t count = 0;

	kernel_quiet_libbpf();
	for (size_t first = 0; first < WAYS && count < cap; first = end_of(first)) {
		const struct way *way = first_here(first, "");
		struct probe_hook *hook = &hooks[count++];

		*hook = (struct probe_hook){ .figure = ways[first].figure };
		if (way)
			name_of(way, hook->hook, sizeof(hook->hook));
		explain(first, way, hook);
	}
	return count;
}
