#pragma once
/* Resident memory and its peak. Part of process.bpf.c. */

const volatile __u32 cpu_count;     /* possible CPUs, ≤ PROCESS_CPUS_MAX */
__u64 cpu_offset[PROCESS_CPUS_MAX]; /* where a CPU's part of a per-cpu variable stands */

static __always_inline __u64 larger(__u64 a, __u64 b)
{
	return a > b ? a : b;
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
			bpf_probe_read_kernel(&part[MM_FILEPAGES], 4,
					      (void *)file + cpu_offset[cpu]);
			bpf_probe_read_kernel(&part[MM_ANONPAGES], 4,
					      (void *)anon + cpu_offset[cpu]);
			bpf_probe_read_kernel(&part[MM_SHMEMPAGES], 4,
					      (void *)shmem + cpu_offset[cpu]);
		}
		pages += part[MM_FILEPAGES] + part[MM_ANONPAGES] + part[MM_SHMEMPAGES];
	}
	return positive(pages);
}

/* Before 6.2 a thread keeps up to 64 pages of each count to itself; those of others are not seen.
 */
static __always_inline __u64 resident_before_6_2(struct mm_struct *mm, struct task_struct *task)
{
	struct mm_struct___before_6_2 *old = (void *)mm;
	struct task_struct___before_6_2 *thread = (void *)task;
	__s64 count[4] = {};
	int own[4] = {};

	bpf_core_read(&count, sizeof(count), &old->rss_stat.count);
	if (bpf_core_field_exists(thread->rss_stat))
		bpf_core_read(&own, sizeof(own), &thread->rss_stat.count);
	return positive(count[MM_FILEPAGES] + own[MM_FILEPAGES]) +
	       positive(count[MM_ANONPAGES] + own[MM_ANONPAGES]) +
	       positive(count[MM_SHMEMPAGES] + own[MM_SHMEMPAGES]);
}

static __always_inline __u64 resident_pages(struct mm_struct *mm, struct task_struct *task)
{
	if (bpf_core_type_exists(struct mm_rss_stat))
		return resident_before_6_2(mm, task);
	return resident_per_cpu(mm);
}

/* As setmax_mm_hiwater_rss() sees it, but exact. */
static __always_inline __u64 peak_pages(struct mm_struct *mm, struct task_struct *task)
{
	return larger(mm->hiwater_rss, resident_pages(mm, task));
}

/* signal->maxrss covers all images of the process: it tells this one's peak only where it grew in
 * its time. mm: the task's; NULL where it is gone. */
static __always_inline void consumed_peak(struct process_consumed *ret,
					  const struct process_state *state,
					  struct task_struct *task, struct mm_struct *mm)
{
	__u64 peak = state->peak_pages;
	__u64 maxrss = task->signal->maxrss;

	ret->peak_exact = true;
	ret->peak_pages = 0;
	if (state->flags & PROCESS_MM_SHARED)
		return;
	if (mm)
		peak = larger(peak, peak_pages(mm, task));
	if (!(state->flags & PROCESS_ENDED) && maxrss > state->base_maxrss)
		peak = larger(peak, maxrss);
	if (!peak) {
		peak = maxrss;
		ret->peak_exact = false;
	}
	ret->peak_pages = peak;
}
