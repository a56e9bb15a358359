#pragma once
/* The descriptors of a process, one by one. Part of process.bpf.c. */

/* So that the program which begins knows where its descriptors stood. */
static __always_inline void file_inherited(struct process_state *state, __u64 address, __u64 inode,
					   __u64 id)
{
	struct file_use *use = file_find(state, id);

	if (!use && file_has_room(state))
		use = file_make(state, id, FILE_REGULAR);
	if (use && !use->watched)
		file_watch(use, address, inode);
}

/* Open still: what it did since it was last looked at. */
static __always_inline void file_lives(struct process_state *state, __u64 address, __u64 inode,
				       __u64 id)
{
	struct file_use *use = file_find(state, id);
	bool mapped;
	__u64 moved;

	if ((use && use->watched && use->watched != address) ||
	    !file_is_used(use, address, inode, &mapped))
		return;
	moved = file_moved(use, address);
	if (use && use->counted && !moved)
		return;
	use = file_entry(state, use, id, address, false);
	if (!use)
		return;
	if (!use->counted)
		file_count_open(state, use, address);
	use->counted = 1;
	use->flags |= mapped ? FILE_MAPPED : 0;
	use->size_bytes = FILE_READ(inode, inode, i_size);
	use->last_tick = bpf_jiffies64();
	use->changed = 1;
	__sync_fetch_and_add(&use->moved_bytes, moved);
	file_watch(use, address, inode);
}

__noinline int file_used(struct process_state *state, __u64 address, __u32 how)
{
	__u64 inode = (__u64)FILE_READ(file, address, f_inode), id;
	enum file_kind kind;

	if (!state || !inode || FILE_READ(file, address, f_mode) & FMODE_PATH)
		return 0;
	kind = file_kind_of(inode);
	if (kind != FILE_REGULAR) {
		if ((how == FILE_CLOSES || how == FILE_IS_LEFT) && file_is_last(address))
			kind_used(state, address, kind, 0);
		return 0;
	}
	id = file_id_of(inode);
	if (how == FILE_INHERITED)
		file_inherited(state, address, inode, id);
	else if (how == FILE_LIVES)
		file_lives(state, address, inode, id);
	else
		file_ends(state, address, inode, id);
	return 0;
}

struct file_walk {
	struct process_state *state;
	struct file **all;
	unsigned long *open;
	__u64 bits; /* of open's word, from `at` on */
	__u32 most, at, how;
};

static long file_walk_turn(__u32 i, struct file_walk *walk)
{
	__u64 address = 0;

	if (walk->at >= walk->most)
		return 1;
	if (walk->at % 64 == 0 &&
	    bpf_probe_read_kernel(&walk->bits, sizeof(walk->bits), walk->open + walk->at / 64))
		return 1;
	if (!walk->bits) {
		walk->at = (walk->at | 63) + 1;
		return 0;
	}
	if (walk->bits & 1 &&
	    !bpf_probe_read_kernel(&address, sizeof(address), walk->all + walk->at) && address)
		file_used(walk->state, address, walk->how);
	walk->at++;
	walk->bits >>= 1;
	return 0;
}

__noinline int files_walk(struct process_state *state, __u64 files_address, __u32 how)
{
	struct fdtable *table = BPF_CORE_READ((struct files_struct *)files_address, fdt);
	struct file_walk walk = { .state = state,
				  .all = BPF_CORE_READ(table, fd),
				  .open = BPF_CORE_READ(table, open_fds),
				  .most = BPF_CORE_READ(table, max_fds),
				  .how = how };

	if (state && table)
		EACH_TURN(FILE_FDS_MAX, file_walk_turn, &walk);
	return 0;
}

static __always_inline void files_end(struct process_state *state, struct task_struct *task)
{
	if (files_off)
		return;
	files_walk(state, (__u64)BPF_CORE_READ(task, files), FILE_IS_LEFT);
	files_tell(state, true);
}
