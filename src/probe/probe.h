#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "probe/needs.h"
#include "probe/record.h"

/*
 * The one face of the kernel side. One owner, one thread, no hidden threads: the caller waits on
 * probe_fd(), calls probe_poll(), and once a second probe_sample(). Records come in the order in
 * which the kernel made them. Whatever the kernel could not hand over is counted (probe_losses),
 * never silent.
 */
struct probe;

/* What probe_poll, probe_scan and probe_sample call; all texts and pointers live only for the call.
 * A NULL member is not called. */
struct probe_handler {
	void (*on_fork)(void *context, const struct probe_fork *fork);
	void (*on_image)(void *context, const struct probe_image *image);
	void (*on_exit)(void *context, const struct probe_exit *exit);
	void (*on_residual)(void *context, const struct probe_residual *residual);
	void (*on_alive)(void *context, const struct probe_alive *alive);
	/* Whether probe_scan shall find this process whatever its name. */
	bool (*is_known)(void *context, const struct probe_key *key);
	void *context;
};

struct probe_options {
	size_t ring_bytes;        /* 0: 4 MiB; rounded up to a power of two */
	const char *const *names; /* basenames (of file or script) that begin tracking at exec; ≤
				     PROBE_NAMES_MAX, ≤ 63 bytes each */
	size_t name_count;
	bool track_all;         /* every exec begins tracking */
	const char *pin_folder; /* bpffs folder for state that survives a restart; NULL: none */
};

/* Loads and attaches. Words say what is missing and what to do (not root, no BTF, kernel too old,
 * lockdown). */
int probe_open(struct probe **ret, const struct probe_options *options,
	       const struct probe_handler *handler, struct error *err);
/* Detaches and frees. NULL is fine. keep_pins: leave the pinned state for a successor (a restart),
 * else remove it. */
void probe_close(struct probe *probe, bool keep_pins);

#define PROBE_NAMES_MAX 4096
/* Other names begin tracking from now on; what is tracked stays so. -EINVAL (nothing is changed)
 * with words: too many, or one that is empty or too long. */
int probe_set_names(struct probe *probe, const char *const *names, size_t count, struct error *err);

/* Readable when records wait beyond the wake-up threshold; poll at least every 100 ms besides. */
int probe_fd(const struct probe *probe);
/* Drains what is there, at most `limit` records (0: all). Returns their number or -errno. */
int probe_poll(struct probe *probe, size_t limit);
/* Finds what runs already (basename of exe, script or, of interpreters, as in names) with all
 * descendants, begins tracking it in the kernel without a gap, and reports each as on_image with
 * found = true. Call once after probe_open. */
int probe_scan(struct probe *probe);
/* Reads all live tracked processes: on_alive for each. Returns their number or -errno. */
int probe_sample(struct probe *probe);

struct probe_losses {                         /* cumulative since probe_open */
	uint64_t fork, image, exit, residual; /* records that found the ring full */
	uint64_t untracked;                   /* processes whose tracking state could not be made */
};
int probe_losses(struct probe *probe, struct probe_losses *ret);
/* Bytes of kernel memory of all maps, as declared. */
uint64_t probe_map_bytes(const struct probe *probe);
