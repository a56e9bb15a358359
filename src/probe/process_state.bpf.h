#pragma once
/* The state of a tracked process, and where it is kept. Included by process.bpf.c only. */

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct process_state);
} processes SEC(".maps");

/* The state of a process whose leader ended before its other threads: when one of those execs, the
 * leader, and its storage, is gone (de_thread). Keyed by tgid, removed with the process. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 8192);
	__type(key, __u32);
	__type(value, struct process_state);
} leaderless SEC(".maps");

/* Basenames that begin tracking. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, char[PROCESS_NAME_SIZE]);
	__type(value, __u8);
} names SEC(".maps");

/* Process ids that user space found by name: scan_mark begins with them. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 8192);
	__type(key, __u32);
	__type(value, __u64); /* start_boottime */
} roots SEC(".maps");

struct process_losses losses;

/* The agent was not there for a while (or never): what the kernel knows replaces what was missed.
 * An image of which no beginning was seen has no base. */
static __always_inline void state_refresh(struct process_state *state, struct task_struct *leader)
{
	struct signal_struct *signal = leader->signal;

	counts_of_released(&state->dead, signal, state->dead.runnable_ns);
	if (leader->flags & PF_EXITING)
		state->flags |= PROCESS_LEADER_GONE;
	if (state->session == 0 || state->image_seq != leader->self_exec_id) {
		__builtin_memset(&state->base, 0, sizeof(state->base));
		state->flags |= PROCESS_BASE_UNKNOWN;
		state->base_maxrss = ~0ULL;
		state->peak_pages = 0;
		state->image_seq = leader->self_exec_id;
	}
	state->threads = signal->live.counter;
	if (state->threads_peak < (__u32)state->threads)
		state->threads_peak = state->threads;
	state->flags |= PROCESS_FOUND;
	state->session = session;
}

/* NULL: not tracked. leader: of a thread group. */
static __always_inline struct process_state *state_of(struct task_struct *leader)
{
	struct process_state *state = bpf_task_storage_get(&processes, leader, NULL, 0);

	if (state && state->session != session)
		state_refresh(state, leader);
	return state;
}

/* Makes one, all zero. NULL: without memory; counted. */
static __always_inline struct process_state *state_new(struct task_struct *leader)
{
	struct process_state *state =
		bpf_task_storage_get(&processes, leader, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (!state)
		__sync_fetch_and_add(&losses.untracked, 1);
	return state;
}

/* A new image begins with what the process has consumed so far. */
static __always_inline void state_begin_image(struct process_state *state,
					      const struct process_counts *total,
					      struct task_struct *leader)
{
	state->session = session;
	state->image_seq = leader->self_exec_id;
	state->flags = 0;
	state->threads = 1;
	state->threads_peak = 1;
	state->peak_pages = 0;
	state->base_maxrss = leader->signal->maxrss;
	state->base = *total;
}

static __always_inline void consumed_of(struct process_consumed *ret,
					const struct process_state *state,
					const struct process_counts *total)
{
	ret->counts = *total;
	counts_subtract(&ret->counts, &state->base);
	ret->rss_pages = 0;
	ret->threads = state->threads > 0 ? state->threads : 0;
	ret->threads_peak = state->threads_peak;
	ret->base_known = !(state->flags & PROCESS_BASE_UNKNOWN);
}

/* signal->maxrss covers all images of the process: it tells this one's peak only where it grew in
 * its time. mm: NULL where it is gone. */
static __always_inline void consumed_peak(struct process_consumed *ret,
					  const struct process_state *state,
					  struct signal_struct *signal, struct mm_struct *mm)
{
	__u64 peak = state->peak_pages;
	__u64 maxrss = signal->maxrss;

	ret->peak_exact = true;
	if (state->flags & PROCESS_MM_SHARED) {
		ret->peak_pages = 0;
		return;
	}
	if (mm)
		peak = larger(peak, peak_pages(mm));
	if (!(state->flags & PROCESS_ENDED) && maxrss > state->base_maxrss)
		peak = larger(peak, maxrss);
	if (!peak) {
		peak = maxrss;
		ret->peak_exact = false;
	}
	ret->peak_pages = peak;
}
