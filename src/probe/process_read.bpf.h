#pragma once
/* Reading the kernel's own accounts. Included by process.bpf.c only. */

/* Set before load. */
const volatile __u64 session; /* differs from agent to agent */
const volatile __u32 page_shift;
const volatile __u32 cpu_count; /* possible CPUs, ≤ PROCESS_CPUS_MAX */
const volatile bool track_all;

/* Filled by measure_clock. */
__u64 cpu_offset[PROCESS_CPUS_MAX]; /* where a CPU's part of a per-cpu variable stands */
__u64 clock_offset_ns;              /* boot-time clock less rq->clock; 0: not known */
__u64 clock_offset_seen_ns;

/* What a running thread used since the scheduler last looked is not in sum_exec_runtime: a process
 * of 300 µs would often have none at all. */
static __always_inline __u64 cpu_since_ns(struct task_struct *task, __u64 now_ns)
{
	struct rq *rq;
	__s64 since;

	if (!clock_offset_ns || !bpf_core_field_exists(task->se.cfs_rq))
		return 0;
	rq = task->se.cfs_rq->rq;
	since = now_ns - clock_offset_ns - (rq->clock - rq->clock_task) - task->se.exec_start;
	return since > 0 && since < 1000000000 ? since : 0;
}

/* A thread's own. */
static __always_inline void counts_of_thread(struct process_counts *ret, struct task_struct *task)
{
	ret->cpu_ns = task->se.sum_exec_runtime;
	ret->user_ticks = task->utime;
	ret->kernel_ticks = task->stime;
	ret->runnable_ns = task->sched_info.run_delay;
	ret->minor_faults = task->min_flt;
	ret->major_faults = task->maj_flt;
	ret->ctx_voluntary = task->nvcsw;
	ret->ctx_involuntary = task->nivcsw;
	ret->read_chars_bytes = task->ioac.rchar;
	ret->write_chars_bytes = task->ioac.wchar;
	ret->disk_read_bytes = task->ioac.read_bytes;
	ret->disk_write_bytes = task->ioac.write_bytes;
}

/* Of the threads that were released (__exit_signal). The kernel keeps no sum of run_delay. */
static __always_inline void counts_of_released(struct process_counts *ret,
					       struct signal_struct *signal, __u64 runnable_ns)
{
	ret->cpu_ns = signal->sum_sched_runtime;
	ret->user_ticks = signal->utime;
	ret->kernel_ticks = signal->stime;
	ret->runnable_ns = runnable_ns;
	ret->minor_faults = signal->min_flt;
	ret->major_faults = signal->maj_flt;
	ret->ctx_voluntary = signal->nvcsw;
	ret->ctx_involuntary = signal->nivcsw;
	ret->read_chars_bytes = signal->ioac.rchar;
	ret->write_chars_bytes = signal->ioac.wchar;
	ret->disk_read_bytes = signal->ioac.read_bytes;
	ret->disk_write_bytes = signal->ioac.write_bytes;
}

#define COUNTS       (sizeof(struct process_counts) / sizeof(__u64))
#define COUNT(of, i) (((__u64 *)(of))[i])

static __always_inline void counts_add(struct process_counts *sum, const struct process_counts *of)
{
#pragma unroll
	for (unsigned i = 0; i < COUNTS; i++)
		COUNT(sum, i) += COUNT(of, i);
}

/* Never below zero: a count that was read a little late is not an overflow. */
static __always_inline void counts_subtract(struct process_counts *from,
					    const struct process_counts *of)
{
#pragma unroll
	for (unsigned i = 0; i < COUNTS; i++)
		COUNT(from, i) = COUNT(from, i) > COUNT(of, i) ? COUNT(from, i) - COUNT(of, i) : 0;
}

/* For sums that several dying threads add to. */
static __always_inline void counts_add_atomic(struct process_counts *sum,
					      const struct process_counts *of)
{
#pragma unroll
	for (unsigned i = 0; i < COUNTS; i++)
		__sync_fetch_and_add(&COUNT(sum, i), COUNT(of, i));
}

static __always_inline __u64 positive(__s64 pages)
{
	return pages > 0 ? pages : 0;
}

/* Since 6.2 the pages of a small process stand mostly in the per-cpu parts. The four counters are
 * made at once, side by side (percpu_counter_init_many, 6.6); before, each for itself. */
static __always_inline __u64 resident_per_cpu(struct mm_struct *mm)
{
	__s64 pages = mm->rss_stat[MM_FILEPAGES].count + mm->rss_stat[MM_ANONPAGES].count +
		      mm->rss_stat[MM_SHMEMPAGES].count;
	__u64 file = (__u64)mm->rss_stat[MM_FILEPAGES].counters;
	__u64 anon = (__u64)mm->rss_stat[MM_ANONPAGES].counters;
	__u64 shmem = (__u64)mm->rss_stat[MM_SHMEMPAGES].counters;
	bool adjacent = anon == file + 4 && shmem == file + 12;

	for (__u32 cpu = 0; cpu < PROCESS_CPUS_MAX; cpu++) {
		__s32 part[4] = {};

		if (cpu >= cpu_count)
			break;
		if (adjacent) {
			bpf_probe_read_kernel(part, sizeof(part), (void *)file + cpu_offset[cpu]);
		} else {
			bpf_probe_read_kernel(&part[0], 4, (void *)file + cpu_offset[cpu]);
			bpf_probe_read_kernel(&part[1], 4, (void *)anon + cpu_offset[cpu]);
			bpf_probe_read_kernel(&part[3], 4, (void *)shmem + cpu_offset[cpu]);
		}
		pages += part[MM_FILEPAGES] + part[MM_ANONPAGES] + part[MM_SHMEMPAGES];
	}
	return positive(pages);
}

static __always_inline __u64 resident_pages(struct mm_struct *mm)
{
	if (bpf_core_type_exists(struct mm_rss_stat)) {
		struct mm_struct___before_6_2 *old = (void *)mm;
		__s64 count[4] = {};

		bpf_core_read(&count, sizeof(count), &old->rss_stat.count);
		return positive(count[MM_FILEPAGES]) + positive(count[MM_ANONPAGES]) +
		       positive(count[MM_SHMEMPAGES]);
	}
	return resident_per_cpu(mm);
}

static __always_inline __u64 larger(__u64 a, __u64 b)
{
	return a > b ? a : b;
}

/* As setmax_mm_hiwater_rss() sees it, but exact. */
static __always_inline __u64 peak_pages(struct mm_struct *mm)
{
	return larger(mm->hiwater_rss, resident_pages(mm));
}

/* On v1 and hybrid the memory controller's own hierarchy says what a container is; on v2 there is
 * one hierarchy, in which the memory controller may not reach down to the leaf. */
static __always_inline __u64 cgroup_id_of(struct task_struct *task)
{
	struct css_set *set = task->cgroups;
	struct cgroup *unified = set->dfl_cgrp;
	struct cgroup_subsys_state *memory = NULL;

	if (bpf_core_enum_value_exists(enum cgroup_subsys_id, memory_cgrp_id)) {
		__u64 i = bpf_core_enum_value(enum cgroup_subsys_id, memory_cgrp_id);

		bpf_probe_read_kernel(&memory, sizeof(memory), &set->subsys[i]);
		if (memory) {
			struct cgroup *own = BPF_CORE_READ(memory, cgroup);

			if (BPF_CORE_READ(own, root) != unified->root)
				return BPF_CORE_READ(own, kn, id);
		}
	}
	return unified->kn->id;
}

static __always_inline __u32 pid_ns_of(struct task_struct *task)
{
	struct pid *pid = task->thread_pid;
	__u32 level = pid->level;
	struct upid *number = (void *)pid + bpf_core_field_offset(struct pid, numbers) +
			      (__u64)level * bpf_core_type_size(struct upid);

	return BPF_CORE_READ(number, ns, ns.inum);
}

struct path_walk {
	struct vfsmount *mnt;
	struct dentry *dentry, *root;
};

static __always_inline void path_enter(struct path_walk *walk, struct vfsmount *mnt,
				       struct dentry *dentry)
{
	walk->mnt = mnt;
	walk->dentry = dentry;
	walk->root = BPF_CORE_READ(mnt, mnt_root);
}

/* From the root of a mount to where it is mounted. false: it is the topmost. */
static __always_inline bool path_cross(struct path_walk *walk)
{
	struct mount *mount = (void *)walk->mnt - bpf_core_field_offset(struct mount, mnt);
	struct mount *parent = BPF_CORE_READ(mount, mnt_parent);

	if (!parent || parent == mount)
		return false;
	path_enter(walk, (void *)parent + bpf_core_field_offset(struct mount, mnt),
		   BPF_CORE_READ(mount, mnt_mountpoint));
	return true;
}

/* Where path_parts writes: room for PROCESS_PATH_MAX bytes at bytes. The length stands in memory,
 * where the verifier does not follow it: else each turn of the loop is another state. */
struct path_out {
	char *bytes;
	volatile __u16 *len;
	__u8 *cut;
};

/* One part of a path. false: no room, or not readable. */
static __always_inline bool path_part(struct path_out *out, struct dentry *dentry)
{
	const unsigned char *name = BPF_CORE_READ(dentry, d_name.name);
	__u64 len = *out->len;
	long n;

	barrier_var(len);
	if (len > PROCESS_PATH_MAX - PROCESS_PART_MAX)
		return false;
	n = bpf_probe_read_kernel_str(out->bytes + len, PROCESS_PART_MAX, name);
	if (n <= 0)
		return false;
	*out->len = len + n;
	return true;
}

/* Writes a path's parts, the last first, each with its NUL. cut: what stands before them did not
 * fit. */
static __always_inline void path_parts(struct path_out *out, struct vfsmount *mnt,
				       struct dentry *dentry)
{
	struct path_walk walk;

	*out->len = 0;
	*out->cut = 0;
	path_enter(&walk, mnt, dentry);
	for (int i = 0; i < PROCESS_PATH_PARTS; i++) {
		struct dentry *at = walk.dentry, *parent;

		if (at == walk.root) {
			if (!path_cross(&walk))
				return;
			continue;
		}
		parent = BPF_CORE_READ(at, d_parent);
		if (parent == at)
			return;
		if (!path_part(out, at))
			break;
		walk.dentry = parent;
	}
	*out->cut = 1;
}
