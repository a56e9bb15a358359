#pragma once
/* The entry in which a request to a block device is counted. Part of process.bpf.c. */

static const volatile struct io_entry no_io;

/* Who makes the entry puts it into the chain. */
static __always_inline struct io_entry *io_entry_make(struct process_state *state,
						      const struct io_key *key)
{
	struct io_entry *entry;
	__u64 first;

	if (state->io_count >= IO_CHAIN_MAX)
		return NULL;
	if (bpf_map_update_elem(&ios, key, (const void *)&no_io, BPF_NOEXIST))
		return bpf_map_lookup_elem(&ios, key);
	entry = bpf_map_lookup_elem(&ios, key);
	if (!entry)
		return NULL;
	for (int i = 0; i < 8; i++) {
		first = state->ios;
		entry->next = first;
		if (__sync_val_compare_and_swap(&state->ios, first, key->name) != first)
			continue;
		__sync_fetch_and_add(&state->io_count, 1);
		return entry;
	}
	bpf_map_delete_elem(&ios, key);
	return NULL;
}

/* NULL: no room, which is counted. */
static __always_inline struct io_entry *io_entry_of(struct process_state *state,
						    const struct io_key *key, struct gendisk *disk)
{
	struct io_entry *entry = bpf_map_lookup_elem(&ios, key);

	if (entry)
		return entry;
	entry = io_entry_make(state, key);
	if (!entry) {
		__sync_fetch_and_add(&losses.io, 1);
		return NULL;
	}
	entry->image = state->image_seq;
	if (disk)
		bpf_probe_read_kernel_str(entry->device, sizeof(entry->device), disk->disk_name);
	return entry;
}
