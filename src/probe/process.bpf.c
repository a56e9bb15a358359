#include "core_types.h"
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "process.h"
#include "process_read.bpf.h"
#include "process_state.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* One ring, because the order of records matters. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4 << 20);
} ring SEC(".maps");

const volatile __u64 ring_wake_bytes; /* below, the reader's own timer is enough */

/* Where records that do not fit the stack are made: a pool, because nothing promises that two
 * programs never meet on a CPU. max_entries is set before load. */
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
	return bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) < ring_wake_bytes ? BPF_RB_NO_WAKEUP
									     : BPF_RB_FORCE_WAKEUP;
}

static __always_inline void head_of(struct process_head *head, __u32 kind,
				    struct task_struct *leader, __u64 now_ns)
{
	head->kind = kind;
	head->pid = leader->tgid;
	head->start_ns = leader->start_boottime;
	head->at_ns = now_ns;
	head->image_seq = leader->self_exec_id;
}

static __always_inline void send_fork(struct task_struct *child)
{
	struct process_fork_record *record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);
	struct task_struct *parent = child->real_parent;

	if (!record) {
		__sync_fetch_and_add(&losses.fork, 1);
		return;
	}
	head_of(&record->head, PROCESS_KIND_FORK, child, bpf_ktime_get_boot_ns());
	record->parent_pid = parent->tgid;
	record->parent_start_ns = parent->group_leader->start_boottime;
	record->cgroup_id = cgroup_id_of(child);
	record->uid = child->real_cred->uid.val;
	bpf_ringbuf_submit(record, ring_flags());
}

/* Before the child runs for the first time. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	struct process_state *state = state_of(parent->group_leader);
	struct process_counts none = {};
	struct process_state *made;

	if (!state)
		return 0;
	if (child->tgid == parent->tgid) {
		__s32 threads = __sync_fetch_and_add(&state->threads, 1) + 1;

		if ((__s32)state->threads_peak < threads)
			state->threads_peak = threads;
		return 0;
	}
	made = state_new(child);
	if (!made)
		return 0;
	state_begin_image(made, &none, child);
	if (child->mm == parent->mm)
		made->flags = PROCESS_MM_SHARED;
	send_fork(child);
	return 0;
}

/* room: PROCESS_PATH_MAX bytes. */
static __always_inline bool basename_listed(const char *path, char *room)
{
	char name[PROCESS_NAME_SIZE] = {};
	long size = bpf_probe_read_kernel_str(room, PROCESS_PATH_MAX, path);
	__u32 end, i;

	if (size < 2 || size > PROCESS_PATH_MAX)
		return false;
	end = size - 1;
	for (i = 0; i < PROCESS_NAME_SIZE; i++)
		if (i == end || room[(end - 1 - i) & (PROCESS_PATH_MAX - 1)] == '/')
			break;
	if (i == 0 || i == PROCESS_NAME_SIZE)
		return false;
	bpf_probe_read_kernel_str(name, sizeof(name), path + end - i);
	return bpf_map_lookup_elem(&names, name);
}

static __always_inline bool listed(struct linux_binprm *bprm)
{
	const char *file = bprm->filename, *interpreter = bprm->interp;
	struct scratch *scratch = scratch_take();
	bool found;

	if (!scratch) {
		__sync_fetch_and_add(&losses.untracked, 1);
		return false;
	}
	found = basename_listed(file, scratch->image.bytes) ||
		(interpreter != file && basename_listed(interpreter, scratch->image.bytes));
	scratch->taken = 0;
	return found;
}

/* The state of a process one of whose threads other than the leader execs: its leader was released,
 * the thread has taken its id. */
static __always_inline struct process_state *state_handed_over(struct task_struct *task)
{
	__u32 tgid = task->tgid;
	struct process_state *kept = bpf_map_lookup_elem(&leaderless, &tgid), *state;

	if (!kept)
		return NULL;
	state = state_new(task);
	if (state)
		*state = *kept;
	bpf_map_delete_elem(&leaderless, &tgid);
	return state;
}

static __always_inline void image_identity(struct process_image_record *image,
					   struct task_struct *task)
{
	struct task_struct *parent = task->real_parent;

	image->parent_pid = parent->tgid;
	image->parent_start_ns = parent->group_leader->start_boottime;
	image->cgroup_id = cgroup_id_of(task);
	image->uid = task->real_cred->uid.val;
	image->pid_ns = pid_ns_of(task);
	image->mnt_ns = task->nsproxy->mnt_ns->ns.inum;
}

/* Returns the length of image->bytes. */
static __always_inline __u64 image_texts(struct process_image_record *image,
					 struct task_struct *task)
{
	struct path_out exe = { image->bytes, &image->exe_len, &image->exe_cut };
	struct path_out cwd = { NULL, &image->cwd_len, &image->cwd_cut };
	struct mm_struct *mm = task->mm;
	struct file *file = mm->exe_file;
	__u64 argv = mm->arg_start, size = mm->arg_end - argv, kept, len;

	path_parts(&exe, file->f_path.mnt, file->f_path.dentry);
	len = image->exe_len;
	barrier_var(len);
	if (len > PROCESS_PATH_MAX)
		return 0;
	cwd.bytes = image->bytes + len;
	path_parts(&cwd, task->fs->pwd.mnt, task->fs->pwd.dentry);
	len += *cwd.len;
	kept = size <= PROCESS_ARGV_MAX ? size : PROCESS_ARGV_MAX;
	barrier_var(len);
	barrier_var(kept);
	if (len > 2 * PROCESS_PATH_MAX || kept > PROCESS_ARGV_MAX)
		return 0;
	if (bpf_probe_read_user(image->bytes + len, kept, (void *)argv))
		kept = 0;
	image->argv_len = kept;
	image->argv_missing_bytes = size - kept;
	return len + kept;
}

static __always_inline void send_image(struct process_image_record *image, struct task_struct *task)
{
	__u64 size;

	image_identity(image, task);
	size = sizeof(*image) - sizeof(image->bytes) + image_texts(image, task);
	barrier_var(size);
	if (size > sizeof(*image) || bpf_ringbuf_output(&ring, image, size, ring_flags()))
		__sync_fetch_and_add(&losses.image, 1);
}

/* Before the old image goes (6.10 and later; else begin_new_exec): its memory's peak, which
 * signal->maxrss tells only where it is the largest of the process's so far. */
static __always_inline int image_ends(struct task_struct *task)
{
	struct process_state *state = state_of(task->group_leader);

	struct mm_struct *mm = task->mm;

	if (state && mm && !(state->flags & PROCESS_MM_SHARED))
		state->peak_pages = peak_pages(mm);
	return 0;
}

SEC("tp_btf/sched_prepare_exec")
int BPF_PROG(on_prepare_exec, struct task_struct *task, struct linux_binprm *bprm)
{
	return image_ends(task);
}

SEC("fentry/begin_new_exec")
int BPF_PROG(on_begin_new_exec, struct linux_binprm *bprm)
{
	return image_ends(bpf_get_current_task_btf());
}

/* All other threads were released by now, so the sums in signal are complete. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	struct process_state *state = state_of(task);
	struct process_counts own, total;
	struct scratch *scratch;
	bool replaced;
	__u64 now_ns;

	if (!state && old_pid != task->pid)
		state = state_handed_over(task);
	replaced = state;
	if (!state && (track_all || listed(bprm)))
		state = state_new(task);
	if (!state)
		return 0;
	now_ns = bpf_ktime_get_boot_ns();
	counts_of_thread(&own, task);
	own.cpu_ns += cpu_since_ns(task, now_ns);
	counts_of_released(&total, task->signal, state->dead.runnable_ns);
	state->dead = total;
	counts_add(&total, &own);
	scratch = scratch_take();
	if (scratch) {
		struct process_image_record *image = &scratch->image;

		head_of(&image->head, PROCESS_KIND_IMAGE, task, now_ns);
		image->replaced = replaced;
		image->replaced_image_seq = state->image_seq;
		consumed_of(&image->consumed, state, &total);
		consumed_peak(&image->consumed, state, task->signal, NULL);
	} else {
		__sync_fetch_and_add(&losses.image, 1);
	}
	state_begin_image(state, &total, task);
	if (scratch) {
		send_image(&scratch->image, task);
		scratch->taken = 0;
	}
	return 0;
}

static __always_inline void send_exit(__u32 kind, struct task_struct *leader,
				      struct process_state *state,
				      const struct process_counts *total, struct mm_struct *mm,
				      __u64 now_ns)
{
	struct process_exit_record *record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);
	struct signal_struct *signal = leader->signal;

	if (!record) {
		__sync_fetch_and_add(kind == PROCESS_KIND_EXIT ? &losses.exit : &losses.residual,
				     1);
		return;
	}
	head_of(&record->head, kind, leader, now_ns);
	record->code =
		signal->flags & SIGNAL_GROUP_EXIT ? signal->group_exit_code : leader->exit_code;
	record->unused = 0;
	consumed_of(&record->consumed, state, total);
	consumed_peak(&record->consumed, state, signal, mm);
	if (record->consumed.peak_exact)
		state->peak_pages = record->consumed.peak_pages; /* for a residual record */
	bpf_ringbuf_submit(record, ring_flags());
}

/* A leader that ends before its threads: see leaderless. */
static __always_inline void leader_ends(struct process_state *state, struct task_struct *leader)
{
	__u32 tgid = leader->tgid;

	__sync_fetch_and_or(&state->flags, PROCESS_LEADER_GONE);
	bpf_map_update_elem(&leaderless, &tgid, state, BPF_ANY);
}

/* A thread that ends after its leader: its run_delay would be lost should another one exec. */
static __always_inline void follower_ends(__u32 tgid, __u64 runnable_ns)
{
	struct process_state *kept = bpf_map_lookup_elem(&leaderless, &tgid);

	if (kept)
		__sync_fetch_and_add(&kept->dead.runnable_ns, runnable_ns);
}

/* Before 6.16 the exit tracepoint comes after exit_mm: there, a look at the memory before it goes.
 */
SEC("fentry/taskstats_exit")
int BPF_PROG(on_taskstats_exit, struct task_struct *task, int group_dead)
{
	return group_dead ? image_ends(task) : 0;
}

/* The last one: whatever else the process's threads did has been added to dead. */
static __always_inline void process_ends(struct process_state *state, struct task_struct *task,
					 const struct process_counts *total, __u64 now_ns)
{
	struct task_struct *leader = task->group_leader;
	__u32 tgid = leader->tgid;

	if (__sync_fetch_and_or(&state->flags, PROCESS_ENDED) & PROCESS_ENDED)
		return;
	if (state->flags & PROCESS_LEADER_GONE && leader != task)
		bpf_map_delete_elem(&leaderless, &tgid);
	state->sent_cpu_ns = total->cpu_ns;
	send_exit(PROCESS_KIND_EXIT, leader, state, total, task->mm, now_ns);
}

/* Each thread. A thread that is not alone leaves its own counts with the process before it counts
 * itself off, so that the one that reaches zero has them all, in whatever order they come. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
	struct task_struct *leader = task->group_leader;
	struct process_state *state = state_of(leader);
	struct process_counts own;
	__u64 now_ns;

	if (!state)
		return 0;
	now_ns = bpf_ktime_get_boot_ns();
	counts_of_thread(&own, task);
	own.cpu_ns += cpu_since_ns(task, now_ns);
	if (state->threads <= 1) {
		counts_add(&own, &state->dead);
		state->dead.runnable_ns = own.runnable_ns;
		state->threads = 0;
		process_ends(state, task, &own, now_ns);
		return 0;
	}
	counts_add_atomic(&state->dead, &own);
	if (leader == task)
		leader_ends(state, leader);
	else if (state->flags & PROCESS_LEADER_GONE)
		follower_ends(leader->tgid, own.runnable_ns);
	if (__sync_fetch_and_sub(&state->threads, 1) <= 1)
		process_ends(state, task, &state->dead, now_ns);
	return 0;
}

/* What came after the exit record (since 6.16 it precedes exit_mm) is a record only where it
 * matters. Also the end of a process whose threads were counted wrong, for it was found amid their
 * coming and going. */
static __always_inline bool residual_matters(const struct process_state *state, __u64 final_ns)
{
	__u64 more_ns = final_ns > state->sent_cpu_ns ? final_ns - state->sent_cpu_ns : 0;

	return more_ns > 1000000 && more_ns * 100 > final_ns;
}

SEC("tp_btf/sched_process_free")
int BPF_PROG(on_free, struct task_struct *task)
{
	struct process_state *state;
	struct process_counts total;

	if (task->pid != task->tgid)
		return 0;
	state = bpf_task_storage_get(&processes, task, NULL, 0);
	if (!state || state->session != session)
		return 0;
	counts_of_released(&total, task->signal, state->dead.runnable_ns);
	if (!(state->flags & PROCESS_ENDED)) {
		state->threads = 0;
		process_ends(state, task, &total, bpf_ktime_get_boot_ns());
	} else if (residual_matters(state, total.cpu_ns)) {
		send_exit(PROCESS_KIND_RESIDUAL, task, state, &total, NULL,
			  bpf_ktime_get_boot_ns());
	}
	return 0;
}

#include "process_iter.bpf.h"
