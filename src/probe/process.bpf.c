#include "core_types.h"
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "process.h"
#include "counts.bpf.h"
#include "memory.bpf.h"
#include "identity.bpf.h"
#include "path.bpf.h"
#include "state.bpf.h"
#include "table.bpf.h"
#include "record.bpf.h"

char LICENSE[] SEC("license") = "GPL";

const volatile bool track_all; /* every exec begins tracking */

/* Basenames that begin tracking. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096); /* set before load */
	__type(key, char[PROCESS_NAME_SIZE]);
	__type(value, __u8);
} names SEC(".maps");

static __always_inline void thread_begins(struct process_state *state)
{
	__s32 threads = __sync_fetch_and_add(&state->threads, 1) + 1;

	if ((__s32)state->threads_peak < threads)
		state->threads_peak = threads;
}

/* Before the child runs for the first time. Whose child is tracked is told first. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	struct process_state *state = state_of(parent->group_leader), *made;

	if (!state)
		return 0;
	if (child->tgid == parent->tgid) {
		thread_begins(state);
		return 0;
	}
	if (state->flags & PROCESS_UNBORN)
		send_fork(state, parent->group_leader);
	made = state_new(child);
	if (!made)
		return 0;
	state_begin_image(made, child->self_exec_id);
	birth_of(&made->birth, child);
	made->birth.at_ns = bpf_ktime_get_boot_ns();
	made->flags = child->mm == parent->mm ? PROCESS_UNBORN | PROCESS_MM_SHARED : PROCESS_UNBORN;
	return 0;
}

__u64 name_bits[PROCESS_NAME_BITS / 64]; /* see PROCESS_NAME_BIT */

/* room: PROCESS_PATH_MAX bytes. */
static __always_inline bool basename_listed(const char *path, char *room)
{
	char name[PROCESS_NAME_SIZE] = {};
	long size = bpf_probe_read_kernel_str(room, PROCESS_PATH_MAX, path);
	__u32 end, len, bit;

	if (size < 2 || size > PROCESS_PATH_MAX)
		return false;
	end = size - 1;
	for (len = 0; len < PROCESS_NAME_SIZE; len++)
		if (len == end || room[(end - 1 - len) & (PROCESS_PATH_MAX - 1)] == '/')
			break;
	if (len == 0 || len == PROCESS_NAME_SIZE)
		return false;
	bit = PROCESS_NAME_BIT(len, room[(end - len) & (PROCESS_PATH_MAX - 1)],
			       room[(end - 1) & (PROCESS_PATH_MAX - 1)]);
	if (!(name_bits[bit / 64] >> bit % 64 & 1))
		return false;
	bpf_probe_read_kernel_str(name, sizeof(name), path + end - len);
	return bpf_map_lookup_elem(&names, name);
}

/* By the name of the file that was asked for, or of the interpreter that its first line names. */
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

static __always_inline void send_image(struct process_image_record *image, struct task_struct *task,
				       __u64 now_ns)
{
	__u64 size;

	head_of(&image->head, PROCESS_IMAGE, task, now_ns, task->self_exec_id);
	image->pid_ns = pid_ns_of(task);
	image->mnt_ns = task->nsproxy->mnt_ns->ns.inum;
	size = offsetof(struct process_image_record, bytes) + image_texts(image, task);
	barrier_var(size);
	if (size > sizeof(*image) || bpf_ringbuf_output(&ring, image, size, ring_flags()))
		__sync_fetch_and_add(&losses.image, 1);
}

/* Before memory goes: its peak, which signal->maxrss tells only where it is the largest of the
 * process's images so far, and since 6.2 only roughly. */
static __always_inline int memory_goes(struct task_struct *task)
{
	struct process_state *state = state_of(task->group_leader);
	struct mm_struct *mm = task->mm;

	if (state && mm && !(state->flags & PROCESS_MM_SHARED))
		state->peak_pages = peak_pages(mm, task);
	return 0;
}

SEC("tp_btf/sched_prepare_exec")
int BPF_PROG(on_prepare_exec, struct task_struct *task, struct linux_binprm *bprm)
{
	return memory_goes(task);
}

/* Before 6.10, which brought sched_prepare_exec. */
SEC("fentry/begin_new_exec")
int BPF_PROG(on_begin_new_exec, struct linux_binprm *bprm)
{
	return memory_goes(bpf_get_current_task_btf());
}

/* Before 6.16, which moved the exit tracepoint to before exit_mm. */
SEC("fentry/taskstats_exit")
int BPF_PROG(on_taskstats_exit, struct task_struct *task, int group_dead)
{
	return group_dead ? memory_goes(task) : 0;
}

/* What the image that ends consumed. */
static __always_inline void image_replaced(struct process_image_record *image,
					   struct process_state *state, struct task_struct *task,
					   const struct process_counts *total)
{
	image->replaced = state->image_seq != 0;
	image->replaced_image_seq = state->image_seq;
	birth_take(&image->birth, state);
	consumed_of(&image->consumed, state, total);
	consumed_peak(&image->consumed, state, task, NULL);
}

/* All other threads have left their counts in dead: de_thread waited for their end. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	struct process_state *state = state_of(task);
	struct process_counts total;
	struct scratch *scratch;
	__u64 now_ns;

	if (!state) {
		if (!track_all && !listed(bprm))
			return 0;
		state = state_new(task);
		if (!state)
			return 0;
		birth_of(&state->birth, task);
	}
	now_ns = bpf_ktime_get_boot_ns();
	counts_of_thread(&total, task);
	total.cpu_ns += cpu_since_ns(task, now_ns);
	counts_add(&total, &state->dead);
	scratch = scratch_take();
	if (scratch)
		image_replaced(&scratch->image, state, task, &total);
	else
		__sync_fetch_and_add(&losses.image, 1);
	state_begin_image(state, task->self_exec_id);
	state->base_maxrss = task->signal->maxrss;
	state->base = total;
	if (scratch) {
		send_image(&scratch->image, task, now_ns);
		scratch->taken = 0;
	}
	return 0;
}

/* Each thread. One that is not alone leaves its own counts with the process before it counts itself
 * off, so that the one that reaches zero finds them all, in whatever order they come. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
	struct process_state *state = state_of(task->group_leader);
	struct process_counts own;
	__s32 others = 0;
	__u64 now_ns;

	if (!state)
		return 0;
	now_ns = bpf_ktime_get_boot_ns();
	counts_of_thread(&own, task);
	own.cpu_ns += cpu_since_ns(task, now_ns);
	if (task->flags & (PF_IO_WORKER | PF_USER_WORKER)) {
		counts_add_atomic(&state->dead, &own);
		return 0; /* no fork event counted it on */
	}
	if (state->threads <= 1) {
		counts_add(&state->dead, &own);
	} else {
		counts_add_atomic(&state->dead, &own);
		others = __sync_fetch_and_sub(&state->threads, 1) - 1;
	}
	if (others <= 0 && end_once(state))
		send_exit(PROCESS_EXIT, task, state, task->mm, now_ns);
	return 0;
}

/* What came after the exit record (since 6.16 it precedes exit_mm) is a record of its own only
 * where it matters. */
static __always_inline bool residual_matters(const struct process_state *state, __u64 final_ns)
{
	__u64 more_ns = final_ns > state->sent_cpu_ns ? final_ns - state->sent_cpu_ns : 0;

	return more_ns > 1000000 && more_ns * 100 > final_ns;
}

/* When the process is reaped, all threads released. Also the end of one whose threads were counted
 * wrong because it was found amid their coming and going. */
SEC("tp_btf/sched_process_free")
int BPF_PROG(on_free, struct task_struct *task)
{
	struct process_state *state;
	__u32 kind = PROCESS_RESIDUAL;

	if (task->pid != task->tgid)
		return 0;
	state = state_of(task);
	if (!state)
		return 0;
	if (end_once(state))
		kind = PROCESS_EXIT;
	if (kind == PROCESS_EXIT || residual_matters(state, task->signal->sum_sched_runtime)) {
		counts_of_released(&state->dead, task->signal);
		send_exit(kind, task, state, NULL, bpf_ktime_get_boot_ns());
	}
	state_drop(state);
	return 0;
}

#include "sample.bpf.h"
#include "scan.bpf.h"
#include "measure.bpf.h"
