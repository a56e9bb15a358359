/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/named_query.h"
#include "signal/figures.h"

/* How the definitions of named queries are written (queries_run.c, queries_host.c). */
/* clang-format off */
#define QUERY(title, params_, columns_)                                    \
	extern const struct named_query named_query_##title;               \
	const struct named_query named_query_##title = {                   \
		.name = #title, .params = (params_), .columns = (columns_) \
	}

#define PARAMS(...)  (const struct query_field[]){ __VA_ARGS__, { 0 } }
#define NO_PARAMS    (const struct query_field[]){ { 0 } }
#define COLUMNS(...) (const struct query_field[]){ __VA_ARGS__, { 0 } }

#define TEXT(name)   { #name, STORE_TEXT }
#define I64(name)    { #name, STORE_I64 }
#define DOUBLE(name) { #name, STORE_DOUBLE }
#define BOOL(name)   { #name, STORE_BOOL }
#define TIME(name)   { #name, STORE_TIME }
#define JSON(name)   { #name, STORE_JSON }
/* clang-format on */

/* Behind a column: FIGURES(FIGURE), a column for each figure (FIGURES_BUT_WALL, WALL_FIGURES: of
 * some); FIGURES(GROWTH), for those that add up over time. */
#define FIGURE(name, kind) , I64(name)
#define GROWTH(name, kind) GROWTH_##kind(name)
#define GROWTH_SUM(name)   , I64(name)
#define GROWTH_WAIT(name)  , I64(name)
#define GROWTH_LEVEL(name)
#define GROWTH_PEAK(name)

/* A GPU in a bucket of time (gpu_samples, run_gpu_samples). */
#define GPU_COLUMNS                                                                     \
	COLUMNS(TEXT(host_id), TEXT(uuid), TIME(at), DOUBLE(sample_s), I64(busy_ns),    \
		I64(busy_known_ns), I64(memory_busy_ns), I64(memory_used_bytes),        \
		I64(power_mean_mw), I64(temperature_peak_celsius), I64(clock_mean_mhz), \
		I64(memory_clock_mean_mhz), I64(throttled_ns), I64(throttled_known_ns), \
		JSON(throttle_reasons), I64(processes), I64(tracked_busy_ns),           \
		I64(tracked_memory_bytes))
