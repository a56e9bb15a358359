/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/varint.h"
#include "signal.pb-c.h"

/*
 * The figures, once: F(name, kind). The names are those of the message Figures and of the lake's
 * columns (a test holds them together). How two executions' figures make one of a task, tool or
 * run:
 *   SUM    they add
 *   WAIT   they add; grows while nothing happens, and so is no news by itself
 *   LEVEL  what is now (adds over live processes)
 *   PEAK   the larger one
 */
#define FIGURES(F)                     \
	F(user_ns, SUM)                \
	F(kernel_ns, SUM)              \
	F(runnable_ns, SUM)            \
	F(minor_faults, SUM)           \
	F(major_faults, SUM)           \
	F(ctx_voluntary, SUM)          \
	F(ctx_involuntary, SUM)        \
	F(read_chars_bytes, SUM)       \
	F(write_chars_bytes, SUM)      \
	F(disk_read_bytes, SUM)        \
	F(disk_write_bytes, SUM)       \
	F(rss_bytes, LEVEL)            \
	F(rss_peak_bytes, PEAK)        \
	F(threads_peak, PEAK)          \
	F(disk_ns, WAIT)               \
	F(paging_ns, WAIT)             \
	F(network_ns, WAIT)            \
	F(pipe_read_ns, WAIT)          \
	F(pipe_write_ns, WAIT)         \
	F(lock_ns, WAIT)               \
	F(child_ns, WAIT)              \
	F(sleep_ns, WAIT)              \
	F(poll_ns, WAIT)               \
	F(other_ns, WAIT)              \
	F(threads_ns, WAIT)            \
	F(disk_shared_ns, WAIT)        \
	F(disk_fuse_ns, WAIT)          \
	F(net_rx_bytes, SUM)           \
	F(net_tx_bytes, SUM)           \
	F(net_loopback_rx_bytes, SUM)  \
	F(net_loopback_tx_bytes, SUM)  \
	F(net_unix_rx_bytes, SUM)      \
	F(net_unix_tx_bytes, SUM)      \
	F(net_connects, SUM)           \
	F(net_accepts, SUM)            \
	F(net_connect_failures, SUM)   \
	F(net_resets, SUM)             \
	F(net_retransmits, SUM)        \
	F(net_connect_ns, SUM)         \
	F(rss_anon_bytes, LEVEL)       \
	F(rss_file_bytes, LEVEL)       \
	F(rss_shmem_bytes, LEVEL)      \
	F(swap_bytes, LEVEL)           \
	F(files_opened, SUM)           \
	F(files_failed, SUM)           \
	F(gpu_busy_ns, SUM)            \
	F(gpu_memory_bytes, LEVEL)     \
	F(gpu_memory_peak_bytes, PEAK) \
	F(poll_network_ns, WAIT)       \
	F(poll_pipe_ns, WAIT)          \
	F(poll_timer_ns, WAIT)

/* Figures as a field of another message, packed already: most are zero, and protobuf-c asks for
 * each of them twice, by its general means, which took a sixth of the agent's time in a storm. */
struct figures_room { /* of each its number and its value */
#define FIGURES_ROOM(name, kind) uint8_t name[2 * VARINT_BYTES];
	FIGURES(FIGURES_ROOM)
#undef FIGURES_ROOM
};
struct figures_field {
	ProtobufCMessageUnknownField field; /* protobuf-c writes such as they are */
	uint8_t bytes[VARINT_BYTES + sizeof(struct figures_room)]; /* their length, and they */
};

/* Gives message, of which nothing else is unknown, its figures; ret is the caller's and lives as
 * long as the message does. */
void figures_put(ProtobufCMessage *message, const Signal__Figures *figures,
		 struct figures_field *ret);

/* What a cumulative reading grew by since an earlier one: SUMs and WAITs as differences (never
 * below 0), LEVELs and PEAKs as in `later`. */
void figures_delta(const Signal__Figures *earlier, const Signal__Figures *later,
		   Signal__Figures *ret);
