#pragma once
/* The state of a tracked process. Part of process.bpf.c. */

const volatile __u64 session; /* differs from agent to agent */

/* By process id, not in task-local storage: a process's life costs 0.7 µs here and 1.7 µs and what
 * the kernel does to free it there (6.18, measured); and when a thread other than the leader execs,
 * the leader's storage goes with it, while the process id stays. An id that was used again is told
 * by start_ns; the entry goes with the task. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, PROCESS_COUNT_MAX);
	__type(key, __u32);
	__type(value, struct process_state);
} processes SEC(".maps");

struct process_losses losses;

/* The agent was not there for a while, or never: what the kernel knows replaces what was missed. An
 * image whose beginning was not seen has no base. */
static __always_inline void state_refresh(struct process_state *state, struct task_struct *leader)
{
	counts_of_released(&state->dead, leader->signal, state->dead.runnable_ns);
	if (state->session == 0 || state->image_seq != leader->self_exec_id) {
		__builtin_memset(&state->base, 0, sizeof(state->base));
		state->base_maxrss = ~0ULL;
		state->peak_pages = 0;
		state->image_seq = leader->self_exec_id;
		state->flags |= PROCESS_BASE_UNKNOWN;
	}
	state->threads = leader->signal->live.counter;
	if ((__s32)state->threads_peak < state->threads)
		state->threads_peak = state->threads;
	state->flags = (state->flags | PROCESS_FOUND) & ~PROCESS_UNBORN;
	state->session = session;
}

/* NULL: not tracked. */
static __always_inline struct process_state *state_of(struct task_struct *leader)
{
	__u32 pid = leader->tgid;
	struct process_state *state = bpf_map_lookup_elem(&processes, &pid);

	if (!state || state->start_ns != leader->start_boottime)
		return NULL;
	if (state->session != session)
		state_refresh(state, leader);
	return state;
}

static const volatile struct process_state blank; /* no process began at 0: nobody's */

/* All zero but what says whose it is. NULL: no room; counted. */
static __always_inline struct process_state *state_new(struct task_struct *leader)
{
	struct process_state *state = NULL;
	__u32 pid = leader->tgid;

	if (!bpf_map_update_elem(&processes, &pid, (const void *)&blank, BPF_ANY))
		state = bpf_map_lookup_elem(&processes, &pid);
	if (!state) {
		__sync_fetch_and_add(&losses.untracked, 1);
		return NULL;
	}
	state->start_ns = leader->start_boottime;
	return state;
}

static __always_inline void state_begin_image(struct process_state *state, __u64 image_seq)
{
	state->session = session;
	state->image_seq = image_seq;
	state->flags = 0;
	state->threads = 1;
	state->threads_peak = 1;
	state->peak_pages = 0;
}

static __always_inline void consumed_of(struct process_consumed *ret,
					const struct process_state *state,
					const struct process_counts *total)
{
	counts_subtract(&ret->counts, total, &state->base);
	ret->rss_pages = 0;
	ret->threads = state->threads > 0 ? state->threads : 0;
	ret->threads_peak = state->threads_peak;
	ret->base_known = !(state->flags & PROCESS_BASE_UNKNOWN);
}
