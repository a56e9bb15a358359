/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "probe/api/probe.h"
#include "probe/abi/process.h"

struct process_bpf;
struct ring_buffer;
struct socket_probes;

#define CALL_LINKS   17 /* tracepoints of system calls that may be needed */
#define USES_SAMPLES 5  /* one sample in so many tells of files and disks */

/*
 * The probe from inside: what probe.c opens, sample.c and scan.c read with.
 */
struct probe {
	struct process_bpf *skel;
	struct ring_buffer *ring;
	struct process_decoder *decoder;
	struct socket_probes *socket_probes; /* NULL: none are needed */
	struct probe_handler handler;
	int call_ids[CALL_LINKS]; /* 0: not needed */
	struct bpf_link *call_links[CALL_LINKS];
	bool calls_held;  /* attached to the end */
	unsigned samples; /* so far */
	struct usage_looks looks;
	size_t limit, taken; /* of the poll under way */
	unsigned page_shift;
	char pin_folder[1024]; /* "": not pinned */
	bool pin_reused;
};

/* A part takes two bytes at least, and is written with a '/' before it; "…" may stand first. */
#define PATH_TEXT_SIZE (PROCESS_PATH_MAX + 8)

/* Decodes the ring's records; keeps room for texts from record to record. NULL only without memory.
 */
struct process_decoder *process_decoder_new(unsigned page_shift);
/* NULL is fine. */
void process_decoder_free(struct process_decoder *decoder);
/* Calls the handler's functions for one record. -EBADMSG: the bytes are no such record (a length
 * that does not fit, an unknown kind); nothing is called then. */
int process_decode(struct process_decoder *decoder, const void *bytes, size_t size,
		   const struct probe_handler *handler);
/* Likewise, of the records of cgroup.h. */
int cgroup_decode(struct process_decoder *decoder, const void *bytes, size_t size,
		  const struct probe_handler *handler);
/* cpu_ns is divided as the ticks are; all of it is user_ns where there were none (as the kernel's
 * cputime_adjust does). */
void process_figures(struct probe_figures *ret, const struct process_consumed *consumed,
		     unsigned page_shift);

/* failure_decode.c: as process_decode. */
int failure_decode_kill(const void *bytes, size_t size, unsigned page_shift,
			const struct probe_handler *handler);
int failure_decode_attempt(const void *bytes, size_t size, const struct probe_handler *handler);
/* Before load: what the programs that see failures need. */
void failure_choose(struct process_bpf *skel);

/* Pages of all kinds that are resident. */
uint64_t process_resident(const struct process_consumed *consumed);
/* network_decode.c: sets the figures of sockets. */
void network_figures(struct probe_figures *ret, const struct network_sums *sums);
/* The record of what moved through sockets: decode_function's promise. */
int network_decode(struct process_decoder *decoder, const void *bytes, size_t size,
		   const struct probe_handler *handler);
/* io_decode.c, folder_decode.c: likewise. */
int io_decode(struct process_decoder *decoder, const void *bytes, size_t size,
	      const struct probe_handler *handler);
int folder_decode(struct process_decoder *decoder, const void *bytes, size_t size,
		  const struct probe_handler *handler);
/* "c\0b\0a\0" as "/a/b/c"; "…/a/b/c" where it was cut. text has room for PATH_TEXT_SIZE. -EBADMSG:
 * the last part has no end. */
int process_decode_path(char *text, const char *parts, size_t len, bool cut);

/* file_decode.c: as process_decode; path has room for PATH_TEXT_SIZE. */
int file_decode(char *path, const void *bytes, size_t size, const struct probe_handler *handler);

/* syscall_tracepoints.c: after load, while it may mount tracefs, looks for the tracepoints that the
 * loaded programs need; of what lacks a warning says what it costs. held: attaches them for good.
 */
void calls_open(struct probe *probe, bool held);
/* Attaches them where the kernel side asks for it; lives: where they are not. */
void calls_look(struct probe *probe, bool lives);
void calls_close(struct probe *probe);
/* Before load: nor any hook on files. */
void calls_forgo(struct probe *probe);

/* syscall_decode.c: decode_function's promise. */
int syscall_decode(struct process_decoder *decoder, const void *bytes, size_t size,
		   const struct probe_handler *handler);
/* Before load, behind hooks_choose: leaves out what counts system calls where that was not asked
 * for; where it cannot be had a warning says so. */
void syscall_choose(struct process_bpf *skel, bool wanted);
/* The class of each system call, by its number here. */
void syscall_classes_fill(uint8_t classes[SYSCALL_NUMBERS]);

/* What each system call, by its number here, may wait for (enum wait_state, enum wait_call). */
void wait_calls_fill(uint8_t how[WAIT_CALLS]);

/* Reads a task iterator to its end, a record at a time. visit returns 0 or -errno, which ends it.
 */
struct bpf_link;
int probe_iterate(const struct bpf_link *link,
		  int (*visit)(const struct process_alive_record *record, void *context),
		  void *context);
/* What the iterator says of a process, as the face's record. */
void probe_alive_of(struct probe_alive *ret, const struct process_alive_record *record,
		    unsigned page_shift);

/* State that outlives the agent, before load: takes the maps that stand in folder if they are of
 * this layout, and removes them otherwise. */
void probe_pin_reuse(struct probe *probe, const char *folder);
/* After load, before the programs run: puts ours there if there were none. On failure a warning
 * tells what that costs. */
void probe_pin_put(struct probe *probe);
/* Once all that lives has been made ours (probe_scan): drops the state of what ended without us. */
void probe_pin_drop_former(struct probe *probe);
void probe_pin_remove(struct probe *probe);
