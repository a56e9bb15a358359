/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/expect/unusual_kind.h"

#include "tune/expect/usual_private.h"

#define SECOND 1e9
#define MB     1e6

/*
 * How the median over the tasks of a step differs from run to run (standard deviations of the
 * logarithm), assumed as if FREEDOM + 1 runs had shown it. From the two runs of nf-core/rnaseq in
 * tests/data/nfcore, of the steps with an even number alone (the others judge it in
 * bench/expect.sh). These two ran on different host types, and their disks differ most:
 * `other_host` is somewhat more than most of them show.
 */
#define FREEDOM       3
#define TIME_SPREAD   0.13
#define TIME_HOST     0.40
#define WAIT_SPREAD   0.18
#define WAIT_HOST     0.80
#define MEMORY_SPREAD 0.05
#define MEMORY_HOST   0.15
#define BYTES_SPREAD  0.05
#define BYTES_HOST    0.15

/* How likely a kind is wrong about a step. */
#define TIME_CHANCE  0.001
#define WAIT_CHANCE  0.0001
#define BYTES_CHANCE 0.0004

#define COMPARED(...) .judge = usual_judge_figure, .assumed.freedom = FREEDOM, __VA_ARGS__

const struct unusual_kind unusual_kinds[UNUSUAL_KINDS] = {
	{ "slower_than_usual", FIGURE_WALL,
	  COMPARED(.above = true, .least_above = 1.2, .floor = 2 * SECOND,
		   .chance_most = TIME_CHANCE, .assumed.between = TIME_SPREAD,
		   .other_host = TIME_HOST) },
	{ "disk_wait_unusual", FIGURE_PARTS + WALL_DISK,
	  COMPARED(.above = true, .beyond_all = true, .least_above = 1.5, .floor = SECOND,
		   .floor_of_wall = 0.25, .chance_most = WAIT_CHANCE,
		   .assumed.between = WAIT_SPREAD, .other_host = WAIT_HOST) },
	{ "network_wait_unusual", FIGURE_PARTS + WALL_NETWORK,
	  COMPARED(.above = true, .beyond_all = true, .least_above = 1.5, .floor = SECOND,
		   .floor_of_wall = 0.25, .chance_most = WAIT_CHANCE,
		   .assumed.between = WAIT_SPREAD, .other_host = WAIT_HOST) },
	{ "cpu_wait_unusual", FIGURE_PARTS + WALL_RUNNABLE,
	  COMPARED(.above = true, .beyond_all = true, .least_above = 1.5, .floor = SECOND,
		   .floor_of_wall = 0.25, .chance_most = WAIT_CHANCE,
		   .assumed.between = WAIT_SPREAD, .other_host = WAIT_HOST) },
	{ "throughput_dropped", FIGURE_THROUGHPUT,
	  COMPARED(.below = true, .of_progress = true, .least_below = 1.2, .floor = 0.1 * MB,
		   .chance_most = TIME_CHANCE, .assumed.between = TIME_SPREAD,
		   .other_host = TIME_HOST) },
	{ "cpu_unusual", FIGURE_CPU,
	  COMPARED(.above = true, .below = true, .least_above = 1.2, .least_below = 1.5,
		   .floor = 2 * SECOND, .chance_most = TIME_CHANCE, .assumed.between = TIME_SPREAD,
		   .other_host = TIME_HOST) },
	{ "memory_unusual", FIGURE_MEMORY,
	  COMPARED(.above = true, .below = true, .least_above = 1.2, .least_below = 1.5,
		   .floor = 64 * MB, .chance_most = BYTES_CHANCE, .assumed.between = MEMORY_SPREAD,
		   .other_host = MEMORY_HOST) },
	{ "disk_read_unusual", FIGURE_DISK_READ,
	  COMPARED(.above = true, .below = true, .least_above = 1.2, .least_below = 1.5,
		   .floor = 64 * MB, .chance_most = BYTES_CHANCE, .assumed.between = BYTES_SPREAD,
		   .other_host = BYTES_HOST) },
	{ "disk_write_unusual", FIGURE_DISK_WRITE,
	  COMPARED(.above = true, .below = true, .least_above = 1.2, .least_below = 1.5,
		   .floor = 64 * MB, .chance_most = BYTES_CHANCE, .assumed.between = BYTES_SPREAD,
		   .other_host = BYTES_HOST) },
	{ "network_unusual", FIGURE_NETWORK,
	  COMPARED(.above = true, .below = true, .least_above = 1.2, .least_below = 1.5,
		   .floor = 64 * MB, .chance_most = BYTES_CHANCE, .assumed.between = BYTES_SPREAD,
		   .other_host = BYTES_HOST) },
	{ "retries_unusual", FIGURE_WALL, .counted = "attempts", .judge = usual_judge_retries },
	{ "memory_request_overrun", FIGURE_MEMORY, .judge = usual_judge_overrun },
	{ "cpu_request_overrun", FIGURE_CPU, .judge = usual_judge_overrun },
};

const char *unusual_kind_figure(const struct unusual_kind *kind)
{
	return kind->counted ? kind->counted : step_figure_name(kind->figure);
}
