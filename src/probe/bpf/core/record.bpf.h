/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
/* How records leave the kernel. Part of process.bpf.c. */

/* One ring, because the order of records matters. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4 << 20); /* set before load */
} ring SEC(".maps");

__u64 ring_peak_bytes;                /* the most that waited; set to 0 by the agent */
const volatile __u64 ring_wake_bytes; /* below, the reader's own timer is enough */

/* Where image records are made: a pool, because nothing promises that two programs never meet on a
 * CPU. max_entries is set before load. */
struct scratch {
	__u32 taken;
	__u32 unused;
	struct process_image_record image;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct scratch);
} scratches SEC(".maps");

const volatile __u32 scratch_count;

/* NULL: four in a row are taken, which takes four programs that interrupt each other. */
static __always_inline struct scratch *scratch_take(void)
{
	__u32 first = bpf_get_smp_processor_id();

	for (__u32 i = 0; i < 4; i++) {
		__u32 key = (first + i) % scratch_count;
		struct scratch *scratch = bpf_map_lookup_elem(&scratches, &key);

		if (scratch && __sync_val_compare_and_swap(&scratch->taken, 0, 1) == 0)
			return scratch;
	}
	return NULL;
}

static __always_inline __u64 ring_flags(void)
{
	__u64 waiting = bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA);

	if (waiting > ring_peak_bytes)
		ring_peak_bytes = waiting;
	if (calls == CALLS_DUE)
		return BPF_RB_FORCE_WAKEUP;
	return waiting < ring_wake_bytes ? BPF_RB_NO_WAKEUP : BPF_RB_FORCE_WAKEUP;
}

/* That a process was forked is said by the first record there is of it: a process that execs at
 * once, as most do, costs one record less. */
static __always_inline void birth_take(struct process_birth *ret, struct process_state *state)
{
	ret->origin = state->origin;
	ret->unborn = !!(state->flags & PROCESS_UNBORN);
	ret->unused = 0;
	state->flags &= ~PROCESS_UNBORN;
}

static __always_inline void send_fork(struct process_state *state, struct task_struct *leader)
{
	struct process_fork_record *record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);

	if (!record) {
		__sync_fetch_and_add(&losses.fork, 1);
		return;
	}
	head_of(&record->head, PROCESS_FORK, leader, state->origin.at_ns, state->image_seq);
	birth_take(&record->birth, state);
	bpf_ringbuf_submit(record, ring_flags());
}

/* As wait() gives it. */
static __always_inline __u32 code_of(struct task_struct *leader)
{
	struct signal_struct *signal = leader->signal;

	return signal->flags & SIGNAL_GROUP_EXIT ? signal->group_exit_code : leader->exit_code;
}

/* Of a container's end the reader is told at once: its runtime removes the cgroup, whose figures
 * are to be read before. */
static __always_inline __u64 exit_flags(__u32 kind, struct task_struct *leader)
{
	return kind == PROCESS_EXIT && is_init(leader) ? BPF_RB_FORCE_WAKEUP : ring_flags();
}

/* task: the last thread; mm: its memory, or NULL where that is gone. */
static __always_inline void send_exit(__u32 kind, struct task_struct *task,
				      struct process_state *state, struct mm_struct *mm,
				      __u64 now_ns)
{
	struct process_exit_record *record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);
	struct task_struct *leader = task->group_leader;

	if (!record) {
		__sync_fetch_and_add(kind == PROCESS_RESIDUAL ? &losses.residual : &losses.exit, 1);
		return;
	}
	head_of(&record->head, kind, leader, now_ns, state->image_seq);
	birth_take(&record->birth, state);
	record->code = code_of(leader);
	record->unused = 0;
	woken_of(&record->consumed, state);
	consumed_of(&record->consumed, state, &state->dead);
	consumed_peak(&record->consumed, state, task, mm);
	if (record->consumed.peak_exact)
		state->peak_pages = record->consumed.peak_pages; /* for a residual record */
	bpf_ringbuf_submit(record, exit_flags(kind, leader));
}
