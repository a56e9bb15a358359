#include "probe/probe.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/text.h"
#include "probe/kernel.h"
#include "probe/probe_private.h"
#include "process.skel.h"

#define RING_BYTES_DEFAULT (4U << 20)
#define RING_BYTES_MIN     (128U << 10) /* the largest record is 41 KiB */
#define RING_BYTES_MAX     (64U << 20)
#define SCRATCHES_MAX      64 /* more execs are never amid their record at one time */
#define CLOCK_TRIES        8
#define CLOCK_DRIFT_MIN_NS 100000000 /* within less, what a try errs by is the larger part */
#define NEEDS_MAX          32

static void destroy(struct probe *probe)
{
	ring_buffer__free(probe->ring);
	process_bpf__destroy(probe->skel);
	process_decoder_free(probe->decoder);
	free(probe);
}
DEFINE_CLEANUP(struct probe *, destroy)

/* A power of two, as ring buffers must be. */
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

/* /proc/cgroups: name, hierarchy (0: the unified one), number, enabled. */
static bool memory_is_on_v1(void)
{
	CLEANUP(fclosep) FILE *file = fopen("/proc/cgroups", "re");
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (text_starts_with(line, "memory\t"))
			return strtoul(line + strlen("memory\t"), NULL, 10) != 0;
	return false;
}

/* Programs for what this kernel does not have stay unloaded. */
static void choose_programs(struct process_bpf *skel, bool fentry)
{
	bool prepare = kernel_has_tracepoint("sched_prepare_exec");
	bool begin = fentry && !prepare && kernel_has_function("begin_new_exec");
	/* With group_dead (6.16) the tracepoint moved to before exit_mm. */
	bool before_mm = kernel_tracepoint_args("sched_process_exit") > 1;
	bool taskstats = fentry && !before_mm && kernel_has_function("taskstats_exit");

	bpf_program__set_autoload(skel->progs.on_prepare_exec, prepare);
	bpf_program__set_autoload(skel->progs.on_begin_new_exec, begin);
	bpf_program__set_autoload(skel->progs.on_taskstats_exit, taskstats);
	bpf_program__set_autoload(skel->progs.measure_cpus, !kernel_has_struct("mm_rss_stat"));
	/* These two are attached by hand: a kernel may refuse fentry, and the agent does without.
	 */
	bpf_program__set_autoattach(skel->progs.on_begin_new_exec, false);
	bpf_program__set_autoattach(skel->progs.on_taskstats_exit, false);
}

static int configure(struct probe *probe, const struct probe_options *options, bool fentry)
{
	struct process_bpf *skel = probe->skel;
	uint32_t bytes = ring_bytes(options->ring_bytes);
	uint32_t cpus = possible_cpus();
	uint32_t scratches = cpus + 1 < SCRATCHES_MAX ? cpus + 1 : SCRATCHES_MAX;
	uint64_t session = 0;

	while (!session)
		if (getrandom(&session, sizeof(session), 0) != sizeof(session))
			return -errno;
	skel->rodata->session = session;
	skel->rodata->cpu_count = cpus;
	skel->rodata->memory_on_v1 = memory_is_on_v1();
	skel->rodata->track_all = options->track_all;
	skel->rodata->ring_wake_bytes = bytes / 4;
	skel->rodata->scratch_count = scratches;
	bpf_map__set_max_entries(skel->maps.ring, bytes);
	bpf_map__set_max_entries(skel->maps.scratches, scratches);
	choose_programs(skel, fentry);
	return 0;
}

static int on_record(void *context, void *bytes, size_t size)
{
	struct probe *probe = context;
	int code = process_decode(probe->decoder, bytes, size, &probe->handler);

	if (code)
		log_error("a record of %zu bytes from the kernel side is not readable: %s", size,
			  strerror(-code));
	return ++probe->taken == probe->limit ? -ECANCELED : 0;
}

static int attach(struct probe *probe, struct error *err)
{
	struct process_bpf *skel = probe->skel;
	int code = process_bpf__attach(skel);

	if (code)
		return error_set(err, code, "the kernel refused to attach a program: %s",
				 strerror(-code));
	if (bpf_program__fd(skel->progs.on_begin_new_exec) >= 0)
		skel->links.on_begin_new_exec = bpf_program__attach(skel->progs.on_begin_new_exec);
	if (bpf_program__fd(skel->progs.on_taskstats_exit) >= 0)
		skel->links.on_taskstats_exit = bpf_program__attach(skel->progs.on_taskstats_exit);
	return 0;
}

/* Best of some tries. false: the kernel does not say. */
static bool see_clock(struct probe *probe, struct process_clock *ret)
{
	const struct process_clock *seen = &probe->skel->bss->clock_seen;

	*ret = (struct process_clock){ .offset_ns = UINT64_MAX };
	for (int i = 0; i < CLOCK_TRIES; i++) {
		LIBBPF_OPTS(bpf_test_run_opts, run);

		sched_yield();
		if (bpf_prog_test_run_opts(bpf_program__fd(probe->skel->progs.measure_clock), &run))
			return false;
		if (seen->offset_ns && seen->offset_ns < ret->offset_ns)
			*ret = *seen;
	}
	return ret->offset_ns != UINT64_MAX;
}

/* A clock that drifts by a tenth is none to reckon with. */
static bool reckon_drift(struct process_clock *now, const struct process_clock *before)
{
	int64_t passed_ns = (int64_t)(now->at_ns - before->at_ns);
	int64_t drifted_ns = (int64_t)(now->offset_ns - before->offset_ns);

	if (!before->offset_ns || passed_ns < CLOCK_DRIFT_MIN_NS) {
		now->drift = before->drift;
		return true;
	}
	if (llabs(drifted_ns) > passed_ns / 10)
		return false;
	now->drift = drifted_ns * (1LL << PROCESS_CLOCK_SHIFT) / passed_ns;
	return true;
}

void probe_measure_clock(struct probe *probe)
{
	struct process_bpf *skel = probe->skel;
	uint32_t index = skel->bss->clock_index;
	struct process_clock now;

	if (!see_clock(probe, &now))
		return;
	if (!reckon_drift(&now, &skel->bss->clocks[index]))
		now.offset_ns = 0;
	skel->bss->clocks[!index] = now;
	__atomic_store_n(&skel->bss->clock_index, !index, __ATOMIC_RELEASE);
}

static int nothing(const struct process_alive_record *record, void *context)
{
	return 0;
}

static int measure(struct probe *probe, struct error *err)
{
	struct process_bpf *skel = probe->skel;
	struct bpf_map_info info = { 0 };
	uint32_t size = sizeof(info);
	int code;

	probe_measure_clock(probe);
	if (!skel->links.measure_cpus)
		return 0;
	if (bpf_obj_get_info_by_fd(bpf_map__fd(skel->maps.part), &info, &size))
		return error_set(err, -errno, "cannot ask the kernel about a map: %s",
				 strerror(errno));
	skel->bss->part_id = info.id;
	code = probe_iterate(skel->links.measure_cpus, nothing, NULL);
	if (code)
		return error_set(err, code, "cannot read the kernel's per-cpu layout: %s",
				 strerror(-code));
	return 0;
}

/* The first need that is not met explains more than the kernel's errno. */
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
			 "`--log-level debug` shows the kernel's words",
			 strerror(-code));
}

static int load(struct probe *probe, const struct probe_options *options, bool fentry,
		struct error *err)
{
	int code;

	process_bpf__destroy(probe->skel);
	probe->skel = process_bpf__open();
	if (!probe->skel)
		return error_set(err, -errno, "cannot prepare the programs: %s", strerror(errno));
	code = configure(probe, options, fentry);
	if (code)
		return error_set(err, code, "cannot prepare the programs: %s", strerror(-code));
	if (options->pin_folder)
		probe_pin_reuse(probe, options->pin_folder);
	code = process_bpf__load(probe->skel);
	return code ? explain(code, err) : 0;
}

/* A kernel that has fentry may forbid it: then without. */
static int start(struct probe *probe, const struct probe_options *options, struct error *err)
{
	int code = load(probe, options, true, err);

	if (code)
		code = load(probe, options, false, err);
	if (code)
		return code;
	if (options->pin_folder)
		probe_pin_put(probe);
	code = probe_set_names(probe, options->names, options->name_count, err);
	return code ? code : attach(probe, err);
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
		probe_pin_remove(probe);
	destroy(probe);
}

int probe_fd(const struct probe *probe)
{
	return ring_buffer__epoll_fd(probe->ring);
}

int probe_poll(struct probe *probe, size_t limit)
{
	int code;

	probe->limit = limit;
	probe->taken = 0;
	code = ring_buffer__consume(probe->ring);
	if (code < 0 && code != -ECANCELED)
		return code;
	return (int)probe->taken;
}

int probe_losses(struct probe *probe, struct probe_losses *ret)
{
	const volatile struct process_losses *losses = &probe->skel->bss->losses;

	*ret = (struct probe_losses){
		.fork = losses->fork,
		.image = losses->image,
		.exit = losses->exit,
		.residual = losses->residual,
		.untracked = losses->untracked,
	};
	return 0;
}

/* What the kernel says it set aside for a map; for a kernel that does not say, its values. */
static uint64_t map_bytes(const struct bpf_map *map)
{
	char path[64], line[128];
	uint64_t bytes = 0;
	CLEANUP(fclosep) FILE *file = NULL;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", bpf_map__fd(map));
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (text_starts_with(line, "memlock:"))
			bytes = strtoull(line + strlen("memlock:"), NULL, 10);
	return bytes ? bytes : (uint64_t)bpf_map__value_size(map) * bpf_map__max_entries(map);
}

uint64_t probe_map_bytes(const struct probe *probe)
{
	const struct bpf_map *map;
	uint64_t bytes = 0;

	bpf_object__for_each_map(map, probe->skel->obj) bytes += map_bytes(map);
	return bytes;
}
