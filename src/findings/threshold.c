/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/threshold.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#define MIB (1024.0 * 1024)

struct threshold_row THRESHOLDS[THRESHOLD_COUNT] = {
	[MEMORY_HEADROOM] = { "memory_headroom", 1.2, "× the highest peak",
			      "what is advised: samples differ, and Princeton's jobstats advises "
			      "as much" },
	[MEMORY_STEP] = { "memory_step", 100, "MB", "advice is rounded up to a multiple" },
	[MEMORY_OVER] = { "memory_over", 2, "× what is advised",
			  "a smaller request is ordinary caution" },
	[MEMORY_EXCESS] = { "memory_excess", 256 * MIB, "bytes over what is advised",
			    "a smaller excess is not worth a person's time" },
	[MEMORY_WARN_OVER] = { "memory_warn_over", 4, "× what is advised",
			       "the request decides how many tasks fit on a host: a warning …" },
	[MEMORY_WARN_EXCESS] = { "memory_warn_excess", 1024 * MIB, "bytes over what is advised",
				 "… where it is also this large" },
	[CPUS_WALL] = { "cpus_wall", NS_PER_S, "ns",
			"a shorter task is mostly its start and its end" },
	[CPUS_SPARE] = { "cpus_spare", 0.25, "CPUs",
			 "a helper thread that takes so little needs no CPU of its own" },
	[CPUS_OVER] = { "cpus_over", 2, "× what is advised",
			"a smaller request is ordinary caution" },
	[CPUS_SATURATED] = { "cpus_saturated", 0.8, "of the host's CPUs",
			     "the task might have used more if the host had more" },
	[CPUS_WARN_EXCESS] = { "cpus_warn_excess", 2, "CPUs over what is advised",
			       "another task would fit beside it: a warning" },
	[RUN_SHARE] = { "run_share", 0.05, "of the run's wall time or cost",
			"a finding that would change less is not worth a person's time" },
	[SLOW_NS] = { "slow_ns", 1.0 * NS_PER_S, "ns",
		      "a run of a few seconds is mostly its start and its end" },
	[SLOW_WARN] = { "slow_warn", 0.2, "of the run's wall time", "so much saved: a warning" },
	[SLOW_UNKNOWN] = { "slow_unknown", 0.3, "of the time concerned",
			   "where more of it is not known, nothing is concluded" },
	[SLOW_ASSUMED] = { "slow_assumed", 0.2, "of the time concerned",
			   "where more of it was divided by assumption, it is less sure" },
	[SLOW_GUESSED] = { "slow_guessed", 0.5, "of the time concerned",
			   "where more of it was divided by assumption, nothing is concluded" },
	[SLOW_SAMPLED] = { "slow_sampled", 0.5, "of the run's wall time",
			   "with samples of the host for less, what others did is not known" },
	[SLOW_SERIAL] = { "slow_serial", 0.5, "of the time of the step's tasks",
			  "reading input and writing results on one CPU is ordinary" },
	[SLOW_ALONE] = { "slow_alone", 0.9, "of its computing time",
			 "who computes with one thread at a time loses the time in which none ran: "
			 "that its idle helpers were ready, too, made nothing longer" },
	[SLOW_CONTENTION] = { "slow_contention", 0.1, "of the run's wall time",
			      "waiting for a CPU a little is ordinary on a host in use" },
	[SLOW_OTHERS] = { "slow_others", 0.25, "CPUs on average",
			  "what a host does for itself takes less" },
	[SLOW_MISSING] = { "slow_missing", 0.1, "CPUs on average",
			   "fewer that it was ready for and did not get are no limit" },
	[SLOW_THREADS] = { "slow_threads", 1.5, "× the host's CPUs",
			   "so many ready threads of one program are more than helpers" },
	[SLOW_AT_LIMIT] = { "slow_at_limit", 100, "times",
			    "a control group that was at its memory limit less often did not work "
			    "at it" },
	[SLOW_PRESSURE] = { "slow_pressure", 0.25, "of the wait for pages",
			    "where the kernel counted less of it as lack of memory, programs and "
			    "mapped files were read from storage" },
	[SLOW_BUSY_DISK] = { "slow_busy_disk", 0.8, "of the time", "the disk had no pause" },
	[SLOW_NAP] = { "slow_nap", 0.35 * NS_PER_S, "ns",
		       "who sleeps longer each time does not ask, but waits" },
	[SLOW_NAPS] = { "slow_naps", 8, "sleeps one after the other",
			"fewer are no loop that asks" },
	[SLOW_AROUND] = { "slow_around", 2, "starts of a program",
			  "a script and its wrappers are around a loop of sleeps, not in it" },
	[SLOW_THROTTLED] = { "slow_throttled", 0.5, "of a control group's periods",
			     "if it throttled so often while CPUs were free, its limit is the whole "
			     "loss" },
	[SLOW_TURNS] = { "slow_turns", 0.7, "of its computing time",
			 "threads that mostly compute one at a time may take turns" },
	[SLOW_TURN_NS] = { "slow_turn_ns", 40.0 * NS_PER_MS, "ns",
			   "idle threads of a pool wait longer for each lock" },
	[SLOW_BRIEF_NS] = { "slow_brief_ns", 5000, "ns",
			    "waits for other things than locks last as long at least: so many at "
			    "most" },
	[SLOW_STUCK] = { "slow_stuck", 0.9, "of the task's time",
			 "who did more than that before it hung is seen by its stall event" },
	[SLOW_STUCK_NS] = { "slow_stuck_ns", 10.0 * NS_PER_S, "ns",
			    "locks may be held for a while" },
};

static struct threshold_row *find(const char *name, size_t len)
{
	for (size_t i = 0; i < THRESHOLD_COUNT; i++)
		if (strlen(THRESHOLDS[i].name) == len && memcmp(THRESHOLDS[i].name, name, len) == 0)
			return &THRESHOLDS[i];
	return NULL;
}

/* One setting up to the next comma; returns what follows it, NULL: it is wrong. */
static const char *set_one(const char *text, bool apply, struct error *err)
{
	size_t len = strcspn(text, ","), name_len = strcspn(text, "=,");
	struct threshold_row *row = find(text, name_len);
	char *end = NULL;
	double value = name_len < len ? strtod(text + name_len + 1, &end) : -1;
	int rc = 0;

	if (!row)
		rc = error_set(err, -EINVAL, "thresholds: \"%.*s\" is none; see docs/findings.md",
			       (int)name_len, text);
	else if (end != text + len || end == text + name_len + 1 || !isfinite(value) || value < 0)
		rc = error_set(err, -EINVAL, "thresholds: %s needs a number of 0 or more (%s)",
			       row->name, row->unit);
	else if (apply)
		row->value = value;
	if (rc)
		return NULL;
	return text[len] ? text + len + 1 : text + len;
}

int thresholds_set(const char *text, struct error *err)
{
	for (int apply = 0; apply <= 1; apply++)
		for (const char *at = text; *at;) {
			at = set_one(at, apply, err);
			if (!at)
				return -EINVAL;
		}
	return 0;
}
