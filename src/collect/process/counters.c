/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/counters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/varint.h"

struct counters counters_of(const struct probe_figures *figures)
{
	return (struct counters){
#define COPY(name, kind) .name = figures->name,
		FIGURES(COPY)
#undef COPY
	};
}

void counters_keep_gpu(struct counters *now, const struct counters *seen)
{
	now->gpu_busy_ns = seen->gpu_busy_ns;
	now->gpu_memory_bytes = seen->gpu_memory_bytes;
	now->gpu_memory_peak_bytes = seen->gpu_memory_peak_bytes;
}

uint64_t counters_cpu_ns(const struct counters *counters)
{
	return counters->user_ns + counters->kernel_ns;
}

uint64_t counters_network(const struct counters *counters)
{
	return counters->net_rx_bytes + counters->net_tx_bytes + counters->net_loopback_rx_bytes +
	       counters->net_loopback_tx_bytes + counters->net_unix_rx_bytes +
	       counters->net_unix_tx_bytes + counters->net_connects + counters->net_accepts +
	       counters->net_connect_failures + counters->net_resets + counters->net_retransmits +
	       counters->net_connect_ns;
}

bool counters_idle(const struct counters *earlier, const struct counters *later)
{
#define SAME(name) &&earlier->name == later->name
#define SUM(name)  SAME(name)
#define WAIT(name)
#define LEVEL(name)         SAME(name)
#define PEAK(name)          SAME(name)
#define COMPARE(name, kind) kind(name)
	return true FIGURES(COMPARE);
#undef COMPARE
#undef PEAK
#undef LEVEL
#undef WAIT
#undef SUM
#undef SAME
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The total rises to that of now; neither part falls. */
static void advance_cpu(struct counters *seen, const struct counters *now)
{
	uint64_t total = larger(counters_cpu_ns(seen), counters_cpu_ns(now));
	uint64_t user = larger(seen->user_ns, now->user_ns);

	if (user > total - seen->kernel_ns)
		user = total - seen->kernel_ns;
	seen->user_ns = user;
	seen->kernel_ns = total - user;
}

/* By how much the states of threads exceed the time in which the threads existed. */
static uint64_t excess_ns(const struct counters *counters)
{
	uint64_t states = counters_cpu_ns(counters);

#define ADD(name) states += counters->name;
	WALL_STATES(ADD)
#undef ADD
	return counters->threads_ns && states > counters->threads_ns ? states - counters->threads_ns
								     : 0;
}

/*
 * Since Linux 6.12 a thread may sleep while it is still queued (delayed dequeue). Readings during
 * the sleep count it as a wait; once the thread runs, the kernel has added the sleep to run_delay,
 * and a later reading has it in runnable_ns. Waits do not fall, so that this time would count
 * twice: what exceeds the existence of the threads is taken off the growth of runnable_ns.
 */
static void advance_runnable(struct counters *seen, const struct counters *earlier)
{
	uint64_t excess = excess_ns(seen), before = excess_ns(earlier);
	uint64_t grown = seen->runnable_ns - earlier->runnable_ns;

	if (excess > before)
		seen->runnable_ns -= excess - before < grown ? excess - before : grown;
}

/* The time of all classes. */
static uint64_t wall_ns(const struct counters *counters)
{
	uint64_t ns = counters->wall_computing_ns;

#define ADD(name) ns += counters->wall_##name;
	WALL_STATES(ADD)
#undef ADD
	return ns;
}

/* ns * part / whole, rounded up. */
static uint64_t part_of(uint64_t ns, uint64_t part, uint64_t whole)
{
	return (uint64_t)(((unsigned __int128)ns * part + whole - 1) / whole);
}

/*
 * Of a gap that has not ended the class is a guess (docs/signal.md, Wall time), and another one may
 * have it once it has ended: a class may fall. Classes that were reported do not fall, so the same
 * time would count twice: it is taken off the growth of all others.
 */
static void advance_wall(struct counters *seen, const struct counters *earlier, uint64_t now_ns)
{
	uint64_t before_ns = wall_ns(earlier), sum_ns = wall_ns(seen),
		 grown_ns = sum_ns - before_ns;
	uint64_t excess_ns = sum_ns - larger(before_ns, now_ns);

	if (!excess_ns)
		return;
#define CUT(name) \
	seen->wall_##name -= part_of(seen->wall_##name - earlier->wall_##name, excess_ns, grown_ns);
	CUT(computing_ns)
	WALL_STATES(CUT)
#undef CUT
	if (seen->wall_serial_ns > seen->wall_computing_ns)
		seen->wall_serial_ns = larger(earlier->wall_serial_ns, seen->wall_computing_ns);
}

void counters_advance(struct counters *seen, const struct counters *before,
		      const struct counters *now)
{
#define SUM(name)           seen->name = larger(before->name, now->name);
#define WAIT(name)          SUM(name)
#define LEVEL(name)         seen->name = now->name;
#define PEAK(name)          seen->name = larger(before->name, now->name);
#define ADVANCE(name, kind) kind(name)
	FIGURES(ADVANCE)
#undef ADVANCE
#undef SUM
#undef WAIT
#undef LEVEL
#undef PEAK
	seen->user_ns = before->user_ns;
	seen->kernel_ns = before->kernel_ns;
	advance_cpu(seen, now);
	advance_runnable(seen, before);
	advance_wall(seen, before, wall_ns(now));
}

void counters_end(struct counters *seen, const struct counters *now)
{
	if (!wall_ns(now))
		return;
#define COPY(name) seen->wall_##name = now->wall_##name;
	COPY(computing_ns)
	COPY(serial_ns)
	WALL_STATES(COPY)
#undef COPY
}

void counters_message(const struct counters *counters, Signal__Figures *ret)
{
	signal__figures__init(ret);
#define COPY(name, kind) ret->name = counters->name;
	FIGURES(COPY)
#undef COPY
}

void counters_growth(const struct counters *earlier, const struct counters *later,
		     Signal__Figures *ret)
{
	Signal__Figures from, to;

	counters_message(earlier, &from);
	counters_message(later, &to);
	signal__figures__init(ret);
	figures_delta(&from, &to, ret);
}

struct counters counters_lived(const struct counters *before, const struct counters *end)
{
	struct counters lived = *end;

	if (end->rss_bytes)
		return lived;
#define SUM(name)
#define WAIT(name)
#define PEAK(name)
#define LEVEL(name)       lived.name = before->name;
#define LIVED(name, kind) kind(name)
	FIGURES(LIVED)
#undef LIVED
#undef LEVEL
#undef PEAK
#undef WAIT
#undef SUM
	if (!lived.rss_bytes)
		lived.rss_bytes = lived.rss_peak_bytes;
	return lived;
}

struct counters counters_carried(const struct counters *counters)
{
	struct counters carried = *counters;

	carried.read_chars_bytes = carried.write_chars_bytes = 0;
	carried.disk_read_bytes = carried.disk_write_bytes = 0;
	carried.net_rx_bytes = carried.net_tx_bytes = 0;
	carried.net_loopback_rx_bytes = carried.net_loopback_tx_bytes = 0;
	carried.net_unix_rx_bytes = carried.net_unix_tx_bytes = 0;
	carried.net_connects = carried.net_accepts = carried.net_connect_failures = 0;
	carried.net_resets = carried.net_retransmits = carried.net_connect_ns = 0;
	carried.files_opened = carried.files_failed = 0;
	carried.rss_bytes = carried.rss_peak_bytes = carried.threads_peak = 0;
	carried.gpu_busy_ns = carried.gpu_memory_bytes = carried.gpu_memory_peak_bytes = 0;
	return carried;
}

void counters_add(struct counters *sum, const struct counters *more)
{
#define ADD(name, kind) sum->name += more->name;
	FIGURES(ADD)
#undef ADD
}

#define COUNTERS (sizeof(struct counters) / sizeof(uint64_t))

_Static_assert(COUNTERS <= 64, "a bit for each must fit");

struct kept {
	uint64_t present; /* a bit for each counter that is not zero */
	uint8_t bytes[];  /* of those, each a varint */
};

/* A difference, modulo 2^64, as a number that is small where the difference is near zero. */
static uint64_t fold(uint64_t difference)
{
	return difference << 1 ^ -(difference >> 63);
}

static uint64_t unfold(uint64_t folded)
{
	return folded >> 1 ^ -(folded & 1);
}

/* The wall time of a process with one thread is the time of its thread: what is kept of each class
 * is the difference. */
static void wall_fold(struct counters *counters)
{
	counters->wall_serial_ns = fold(counters->wall_serial_ns - counters->wall_computing_ns);
	counters->wall_computing_ns = fold(counters->wall_computing_ns - counters_cpu_ns(counters));
#define FOLD(name) counters->wall_##name = fold(counters->wall_##name - counters->name);
	WALL_STATES(FOLD)
#undef FOLD
}

static void wall_unfold(struct counters *counters)
{
	counters->wall_computing_ns =
		unfold(counters->wall_computing_ns) + counters_cpu_ns(counters);
	counters->wall_serial_ns = unfold(counters->wall_serial_ns) + counters->wall_computing_ns;
#define UNFOLD(name) counters->wall_##name = unfold(counters->wall_##name) + counters->name;
	WALL_STATES(UNFOLD)
#undef UNFOLD
}

int counters_keep(struct kept **kept, const struct counters *counters)
{
	struct counters folded = *counters;
	const uint64_t *values = (const uint64_t *)&folded;
	uint8_t bytes[COUNTERS * VARINT_BYTES];
	uint64_t present = 0;
	struct kept *grown;
	size_t len = 0;

	wall_fold(&folded);
	for (size_t i = 0; i < COUNTERS; i++) /* without a branch: which are zero is no pattern */
		present |= (uint64_t)(values[i] != 0) << i;
	for (uint64_t left = present; left; left &= left - 1)
		len += varint_put(bytes + len, values[__builtin_ctzll(left)]);
	grown = realloc(*kept, sizeof(*grown) + len);
	if (!grown)
		return -ENOMEM;
	grown->present = present;
	memcpy(grown->bytes, bytes, len);
	*kept = grown;
	return 0;
}

void counters_recall(const struct kept *kept, struct counters *ret)
{
	uint64_t *values = (uint64_t *)ret;
	const uint8_t *byte;

	*ret = (struct counters){ 0 };
	if (!kept)
		return;
	byte = kept->bytes;
	for (uint64_t left = kept->present; left; left &= left - 1) {
		int i = __builtin_ctzll(left);
		unsigned shift = 0;

		for (; *byte & 0x80; shift += 7)
			values[i] |= (uint64_t)(*byte++ & 0x7f) << shift;
		values[i] |= (uint64_t)*byte++ << shift;
	}
	wall_unfold(ret);
}
