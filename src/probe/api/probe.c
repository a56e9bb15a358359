/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/api/probe.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/text.h"
#include "probe/abi/process.h"
#include "probe/api/hooks.h"
#include "probe/decode/iterator.h"
#include "probe/decode/process_decode.h"
#include "probe/load/kernel.h"
#include "probe/load/open_probe.h"
#include "probe/load/pin.h"
#include "probe/load/socket_probes.h"
#include "probe/load/syscall_counts.h"
#include "probe/load/syscall_tracepoints.h"
#include "probe/load/syscall_wait_table.h"
#include "process.skel.h"

#define RING_BYTES_DEFAULT (4U << 20)
#define RING_BYTES_MIN     (128U << 10) /* the largest record is 41 KiB */
#define RING_BYTES_MAX     (64U << 20)
#define SCRATCHES_MAX      64 /* execs that make their record at one time */
#define NEEDS_MAX          32

static void destroy(struct probe *probe)
{
	ring_buffer__free(probe->ring);
	syscall_tracepoints_close(probe);
	socket_probes_detach(probe->socket_probes);
	process_bpf__destroy(probe->skel);
	process_decoder_free(probe->decoder);
	free(probe);
}
DEFINE_CLEANUP(struct probe *, destroy)

/* The size of a ring buffer must be a power of two. */
static uint32_t ring_bytes(size_t wanted)
{
	uint32_t bytes = RING_BYTES_MIN;

	if (!wanted)
		return RING_BYTES_DEFAULT;
	while (bytes < wanted && bytes < RING_BYTES_MAX)
		bytes *= 2;
	return bytes;
}

static uint32_t possible_cpus(void)
{
	int count = libbpf_num_possible_cpus();

	if (count < 1)
		return 1;
	return count < PROCESS_CPUS_MAX ? (uint32_t)count : PROCESS_CPUS_MAX;
}

/* The number of the memory controller's hierarchy; 0: the unified one. A line of /proc/cgroups:
 * name, hierarchy, number, enabled. */
static uint32_t memory_hierarchy(void)
{
	CLEANUP(fclosep) FILE *file = fopen("/proc/cgroups", "re");
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (text_starts_with(line, "memory\t"))
			return (uint32_t)strtoul(line + strlen("memory\t"), NULL, 10);
	return 0;
}

/* The distance of a per-cpu variable from the run queue, in bytes; 0: there is no such variable. */
static int64_t from_run_queue(const char *name)
{
	uint32_t queue, variable;

	if (!kernel_percpu("runqueues", &queue) || !kernel_percpu(name, &variable))
		return 0;
	return (int64_t)variable - queue;
}

static int configure(struct probe *probe, const struct probe_options *options, struct error *err)
{
	struct process_bpf *skel = probe->skel;
	uint32_t bytes = ring_bytes(options->ring_bytes);
	uint32_t cpus = possible_cpus();
	uint32_t scratches = cpus + 1 < SCRATCHES_MAX ? cpus + 1 : SCRATCHES_MAX;
	uint32_t session = 0;
	int code;

	while (!session)
		if (getrandom(&session, sizeof(session), 0) != sizeof(session))
			return error_set(err, -errno, "no random number: %s", strerror(errno));
	skel->rodata->session = session;
	skel->rodata->agent_pid = getpid();
	skel->rodata->cpu_count = cpus;
	skel->rodata->cgroup_tree = memory_hierarchy();
	skel->rodata->memory_on_v1 = skel->rodata->cgroup_tree != 0;
	skel->rodata->track_all = options->track_all;
	skel->rodata->ring_wake_bytes = bytes / 4;
	syscall_wait_table_fill((uint8_t *)skel->rodata->wait_calls);
	syscall_limit_table_fill((uint8_t *)skel->rodata->wait_limits);
	skel->rodata->scratch_count = scratches;
	bpf_map__set_max_entries(skel->maps.ring, bytes);
	bpf_map__set_max_entries(skel->maps.scratches, scratches);
	if (options->name_count + options->excluded_count > bpf_map__max_entries(skel->maps.names))
		bpf_map__set_max_entries(skel->maps.names, PROBE_NAMES_MAX);
	bpf_program__set_autoload(skel->progs.measure_cpus, !kernel_has_struct("mm_rss_stat"));
	skel->rodata->steal_from_rq = from_run_queue("steal_time");
	skel->rodata->irqtime_from_rq = from_run_queue("cpu_irqtime");
	skel->rodata->call_sendto = SYS_sendto;
	skel->rodata->call_sendmsg = SYS_sendmsg;
	skel->rodata->call_sendmmsg = SYS_sendmmsg;
	skel->rodata->copy_file_range_number = SYS_copy_file_range;
	skel->rodata->mkdirat_number = SYS_mkdirat;
	skel->rodata->exec_number = SYS_execve;
	skel->rodata->openat_number = SYS_openat;
	skel->rodata->openat2_number = SYS_openat2;
	code = hooks_choose(skel->obj, options->force_hook, err);
	if (!code)
		socket_probes_choose(skel);
	if (!code && options->without_files)
		syscall_tracepoints_leave_out_files(probe);
	if (!code)
		syscall_counts_choose(skel, options->syscalls);
	return code;
}

static int on_record(void *context, void *bytes, size_t size)
{
	struct probe *probe = context;
	int code = process_decode(probe->decoder, bytes, size, &probe->handler);

	if (code)
		log_error("a record of %zu bytes from the kernel side is not readable: %s", size,
			  strerror(-code));
	return ++probe->drained == probe->limit ? -ECANCELED : 0;
}

/* Attaches some programs in this order, ahead of all others. A program that sees an end is attached
 * before the one that sees the beginning, so that no end is missed. Programs at the same tracepoint
 * run in the order in which they were attached. */
static int attach_in_order(struct process_bpf *skel)
{
	const struct {
		struct bpf_program *program;
		struct bpf_link **link;
	} first[] = {
		{ skel->progs.on_free, &skel->links.on_free },
		{ skel->progs.on_exit, &skel->links.on_exit },
		{ skel->progs.on_exec_excluded, &skel->links.on_exec_excluded },
		{ skel->progs.on_exec_connects, &skel->links.on_exec_connects },
		{ skel->progs.on_exec, &skel->links.on_exec },
		{ skel->progs.on_exec_files, &skel->links.on_exec_files },
		{ skel->progs.on_sys_exit, &skel->links.on_sys_exit },
	};

	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		if (!bpf_program__autoload(first[i].program))
			continue;
		bpf_program__set_autoattach(first[i].program, false);
		*first[i].link = bpf_program__attach(first[i].program);
		if (!*first[i].link)
			return -errno;
	}
	return 0;
}

static int attach(struct probe *probe, struct error *err)
{
	struct process_bpf *skel = probe->skel;
	int code = attach_in_order(skel);

	if (!code)
		code = process_bpf__attach(skel);
	if (code)
		return error_set(err, code, "the kernel refused to attach a program: %s",
				 strerror(-code));
	probe->socket_probes = socket_probes_attach(skel);
	return 0;
}

static int measure(struct probe *probe, struct error *err)
{
	struct process_bpf *skel = probe->skel;
	struct bpf_map_info info = { 0 };
	uint32_t size = sizeof(info);
	int code;

	if (!skel->links.measure_cpus)
		return 0;
	if (bpf_obj_get_info_by_fd(bpf_map__fd(skel->maps.part), &info, &size))
		return error_set(err, -errno,
				 "cannot read the kernel's information about a map: %s",
				 strerror(errno));
	skel->bss->part_id = info.id;
	code = iterator_run(skel->links.measure_cpus, NULL, NULL);
	if (code)
		return error_set(err, code, "cannot read the kernel's per-cpu layout: %s",
				 strerror(-code));
	return 0;
}

/* Reports the first need that is not met, which explains more than the kernel's errno. */
static int explain(int code, struct error *err)
{
	struct probe_need needs[NEEDS_MAX];
	size_t count = probe_needs(needs, NEEDS_MAX);

	for (size_t i = 0; i < count; i++)
		if (needs[i].required && !needs[i].met)
			return error_set(err, code, "cannot watch the kernel: %s: %s; %s",
					 needs[i].what, needs[i].detail, needs[i].cure);
	return error_set(err, code,
			 "the kernel refused the programs: %s; `tracer doctor` tests each need, "
			 "`--log-level debug` shows the kernel's messages",
			 strerror(-code));
}

static int load(struct probe *probe, const struct probe_options *options, struct error *err)
{
	int code;

	probe->skel = process_bpf__open();
	if (!probe->skel)
		return error_set(err, -errno, "cannot prepare the programs: %s", strerror(errno));
	code = configure(probe, options, err);
	if (code)
		return code;
	if (options->pin_folder)
		pin_reuse(probe, options->pin_folder);
	code = process_bpf__load(probe->skel);
	return code ? explain(code, err) : 0;
}

static int start(struct probe *probe, const struct probe_options *options, struct error *err)
{
	int code = load(probe, options, err);

	if (code)
		return code;
	if (options->pin_folder)
		pin_put(probe);
	code = probe_set_names(probe,
			       &(struct probe_names){ .tracked = options->names,
						      .tracked_count = options->name_count,
						      .excluded = options->excluded,
						      .excluded_count = options->excluded_count },
			       err);
	if (!code)
		code = attach(probe, err);
	if (!code)
		syscall_tracepoints_open(probe,
					 options->track_all || options->hold_syscall_tracepoints);
	return code;
}

int probe_open(struct probe **ret, const struct probe_options *options,
	       const struct probe_handler *handler, struct error *err)
{
	CLEANUP(destroyp) struct probe *probe = calloc(1, sizeof(*probe));
	int code;

	if (!probe)
		return error_set(err, -ENOMEM, "out of memory");
	kernel_quiet_libbpf();
	probe->handler = *handler;
	probe->page_shift = (unsigned)__builtin_ctzl((unsigned long)sysconf(_SC_PAGESIZE));
	probe->decoder = process_decoder_new(probe->page_shift);
	if (!probe->decoder)
		return error_set(err, -ENOMEM, "out of memory");
	code = start(probe, options, err);
	kernel_forget_btf();
	if (code)
		return code;
	probe->ring = ring_buffer__new(bpf_map__fd(probe->skel->maps.ring), on_record, probe, NULL);
	if (!probe->ring)
		return error_set(err, -errno, "cannot map the ring: %s", strerror(errno));
	code = measure(probe, err);
	if (code)
		return code;
	*ret = TAKE_PTR(probe);
	return 0;
}

void probe_close(struct probe *probe, bool keep_pins)
{
	if (!probe)
		return;
	if (!keep_pins)
		pin_remove(probe);
	destroy(probe);
}

int probe_fd(const struct probe *probe)
{
	return ring_buffer__epoll_fd(probe->ring);
}

int probe_poll(struct probe *probe, size_t limit)
{
	int code;

	syscall_tracepoints_update(probe, false);
	probe->limit = limit;
	probe->drained = 0;
	code = ring_buffer__consume(probe->ring);
	if (code < 0 && code != -ECANCELED)
		return code;
	return (int)probe->drained;
}

_Static_assert(sizeof(struct process_losses) == sizeof(struct probe_losses),
	       "each kind that the kernel side counts is in the table of kinds");

int probe_losses(struct probe *probe, struct probe_losses *ret)
{
	const volatile struct process_losses *losses = &probe->skel->bss->losses;

#define MEMBER(member, name, what, why) .member = losses->member,
	*ret = (struct probe_losses){ PROBE_LOSSES(MEMBER) };
#undef MEMBER
	return 0;
}

uint64_t probe_execs_failed(const struct probe *probe)
{
	return *(const volatile uint64_t *)&probe->skel->bss->execs_failed;
}
