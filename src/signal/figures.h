#pragma once
#include <stdint.h>

#include "signal.pb-c.h"

/*
 * The figures, once: F(name, kind). The names are those of the message Figures and of the lake's
 * columns (a test holds them together). How two executions' figures make one of a task, tool or
 * run: SUM    they add LEVEL  what is now (adds over live processes) PEAK   the larger one
 */
#define FIGURES(F)                \
	F(user_ns, SUM)           \
	F(kernel_ns, SUM)         \
	F(runnable_ns, SUM)       \
	F(minor_faults, SUM)      \
	F(major_faults, SUM)      \
	F(ctx_voluntary, SUM)     \
	F(ctx_involuntary, SUM)   \
	F(read_chars_bytes, SUM)  \
	F(write_chars_bytes, SUM) \
	F(disk_read_bytes, SUM)   \
	F(disk_write_bytes, SUM)  \
	F(rss_bytes, LEVEL)       \
	F(rss_peak_bytes, PEAK)   \
	F(threads_peak, PEAK)

/* What a cumulative reading grew by since an earlier one: SUMs as differences (never below 0),
 * LEVELs and PEAKs as in `later`. */
void figures_delta(const Signal__Figures *earlier, const Signal__Figures *later,
		   Signal__Figures *ret);
/* true when no SUM differs and no LEVEL changed: nothing worth a sample. */
_Bool figures_same(const Signal__Figures *a, const Signal__Figures *b);
/* Adds to SUMs and LEVELs, raises PEAKs. */
void figures_add(Signal__Figures *total, const Signal__Figures *more);
