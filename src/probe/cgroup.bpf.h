#pragma once
/* Cgroups that are made and removed. Part of process.bpf.c. */

const volatile __u32 cgroup_tree;   /* the hierarchy's number; 0: version 2's */
const volatile bool cgroups_follow; /* each new one is told: whoever reads may follow it */

/* A cgroup may be gone, with all that ran in it, before the agent hears of its first process. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, CGROUPS_BORN_MAX);
	__type(key, __u64);
	__type(value, struct cgroup_born);
} cgroups_born SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, CGROUPS_MARKS_MAX);
	__type(key, __u64);
	__type(value, __u32); /* enum cgroup_mark */
} cgroups_marked SEC(".maps");

static __always_inline bool cgroup_is_followed(struct task_struct *task)
{
	__u64 id;
	__u32 *mark;

	if (!cgroups_follow)
		return false;
	id = cgroup_id_of(task);
	mark = bpf_map_lookup_elem(&cgroups_marked, &id);
	return mark && *mark & CGROUP_FOLLOWED;
}

/* born NULL: it is gone. What has no room is found later: an end by its folder; but the processes
 * of one that should be followed are not. */
static __always_inline void send_cgroup(__u64 id, const struct cgroup_born *born, __u64 now_ns)
{
	struct process_cgroup_record *record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);

	if (!record) {
		if (born)
			__sync_fetch_and_add(&losses.untracked, 1);
		return;
	}
	__builtin_memset(record, 0, sizeof(*record));
	record->head.kind = born ? PROCESS_CGROUP_MADE : PROCESS_CGROUP_GONE;
	record->head.at_ns = now_ns;
	record->head.cgroup_id = id;
	if (born)
		__builtin_memcpy(record->path, born->path, sizeof(record->path));
	bpf_ringbuf_submit(record, born ? BPF_RB_FORCE_WAKEUP : ring_flags());
}

SEC("tp_btf/cgroup_mkdir")
int BPF_PROG(on_cgroup_mkdir, struct cgroup *cgroup, const char *path)
{
	struct cgroup_born born = { .made_ns = bpf_ktime_get_boot_ns() };
	__u64 id = cgroup->kn->id;

	if ((__u32)cgroup->root->hierarchy_id != cgroup_tree)
		return 0;
	if (bpf_probe_read_kernel_str(born.path, sizeof(born.path), path) >= CGROUP_PATH_MAX)
		born.path[0] = '\0';
	bpf_map_update_elem(&cgroups_born, &id, &born, BPF_ANY);
	if (cgroups_follow)
		send_cgroup(id, &born, born.made_ns);
	return 0;
}

SEC("tp_btf/cgroup_rmdir")
int BPF_PROG(on_cgroup_rmdir, struct cgroup *cgroup, const char *path)
{
	__u64 id = cgroup->kn->id, now_ns = bpf_ktime_get_boot_ns();
	struct cgroup_born *born;
	__u32 *mark;

	if ((__u32)cgroup->root->hierarchy_id != cgroup_tree)
		return 0;
	born = bpf_map_lookup_elem(&cgroups_born, &id);
	if (born)
		born->gone_ns = now_ns;
	mark = bpf_map_lookup_elem(&cgroups_marked, &id);
	if (!mark)
		return 0;
	if (*mark & CGROUP_WATCHED)
		send_cgroup(id, NULL, now_ns);
	bpf_map_delete_elem(&cgroups_marked, &id);
	return 0;
}
