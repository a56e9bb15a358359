#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "probe/probe.h"
#include "probe/process.h"

struct process_bpf;
struct ring_buffer;

/*
 * The probe from inside: what probe.c opens, sample.c and scan.c read with.
 */
struct probe {
	struct process_bpf *skel;
	struct ring_buffer *ring;
	struct process_decoder *decoder;
	struct probe_handler handler;
	size_t limit, taken; /* of the poll under way */
	unsigned page_shift;
	char pin_folder[1024]; /* "": not pinned */
	bool pin_reused;
};

/* Decodes the ring's records; keeps room for texts from record to record. NULL only without memory.
 */
struct process_decoder *process_decoder_new(unsigned page_shift);
/* NULL is fine. */
void process_decoder_free(struct process_decoder *decoder);
/* Calls the handler's functions for one record. -EBADMSG: the bytes are no such record (a length
 * that does not fit, an unknown kind); nothing is called then. */
int process_decode(struct process_decoder *decoder, const void *bytes, size_t size,
		   const struct probe_handler *handler);
/* cpu_ns is divided as the ticks are; all of it is user_ns where there were none (as the kernel's
 * cputime_adjust does). */
void process_figures(struct probe_figures *ret, const struct process_consumed *consumed,
		     unsigned page_shift);

/* Brings the kernel side's idea of the run queues' clock up to date (see measure_clock). */
void probe_measure_clock(struct probe *probe);

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
 * says what that costs, and the agent does without. */
void probe_pin_put(struct probe *probe);
/* Once all that lives has been made ours (probe_scan): drops the state of what ended without us. */
void probe_pin_drop_former(struct probe *probe);
void probe_pin_remove(struct probe *probe);
