/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/recommend/place_fleet.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "tune/recommend/spot_loss.h"
#include "tune/replay/whatif_spread.h"

#define IDLE_NS    60e9               /* that an empty host stays, before the service stops it */
#define OFTEN      1.4142135623730951 /* the measured runs, and those that would be, differ each */
#define SIMULATION 0.05               /* engines pack otherwise than the simulation */

struct fleet_class {
	double cpus, memory_bytes;
	size_t hosts;
	struct placement placement;
};

static void look_at_tasks(struct place_fleet *place)
{
	const struct fleet_work *work = &place->work;

	for (size_t i = 0; i < work->plan.task_count; i++) {
		place->largest_cpus = fmax(place->largest_cpus, work->tasks[i].cpus);
		place->largest_bytes = fmax(place->largest_bytes, work->tasks[i].memory_bytes);
	}
	for (size_t i = 0; i < work->run_count; i++)
		place->largest_host_bytes =
			fmax(place->largest_host_bytes, work->runs[i].host_memory_bytes);
}

/* The mean of the runs; of many it is as sure as of one, since what makes one slow makes all. */
static int find_spread(struct place_fleet *place)
{
	double sum = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < place->work.run_count; i++) {
		struct whatif_spread spread = { 0 };

		rc = whatif_spread_of_work(&place->work.runs[i], &spread);
		sum += spread.runs;
	}
	if (place->work.run_count)
		place->spread = hypot(OFTEN * sum / (double)place->work.run_count, SIMULATION);
	return rc;
}

int place_fleet_make(struct place_fleet *place, const struct replay_run *runs, size_t run_count,
		     double headroom)
{
	int rc;

	*place = (struct place_fleet){
		.headroom = headroom,
		.start_ns = SPOT_START_NS,
		.idle_ns = IDLE_NS,
		.classes = calloc(PLACE_FLEET_CLASSES, sizeof(struct fleet_class)),
	};
	rc = fleet_work_make(&place->work, runs, run_count);
	if (rc || !place->classes)
		return -ENOMEM;
	look_at_tasks(place);
	return find_spread(place);
}

void place_fleet_clear(struct place_fleet *place)
{
	fleet_work_clear(&place->work);
	free(place->classes);
	*place = (struct place_fleet){ 0 };
}

static int simulate(struct place_fleet *place, struct fleet_class *class)
{
	const struct fleet_hosts hosts = { .cpus = class->cpus,
					   .memory_bytes = class->memory_bytes,
					   .most = class->hosts,
					   .start_ns = place->start_ns,
					   .idle_ns = place->idle_ns };
	struct fleet_answer answer;
	int rc = fleet_work_run(&place->work, &hosts, &answer);

	if (rc == 0)
		class->placement = (struct placement){
			.wall_ns = answer.wall_ns,
			.spread = place->spread,
			.host_ns = answer.times.host_ns,
			.starts = (double)answer.times.starts,
			.hosts = answer.times.most,
			.memory_peak_bytes = answer.times.memory_peak_bytes,
			.notes = isinf(class->memory_bytes) ? 0 : PLACEMENT_MEMORY_WAITS,
		};
	if (rc == -ELOOP) {
		class->placement = (struct placement){ .refusal = PLACEMENT_UNSEEN };
		rc = 0;
	}
	fleet_answer_clear(&answer);
	return rc;
}

static bool is_same(const struct fleet_class *one, const struct fleet_class *other)
{
	return one->cpus == other->cpus && one->hosts == other->hosts &&
	       (one->memory_bytes == other->memory_bytes ||
		(isinf(one->memory_bytes) && isinf(other->memory_bytes)));
}

static int find_class(struct place_fleet *place, const struct fleet_class *wanted,
		      struct placement *ret)
{
	struct fleet_class *class = place->classes;
	double work = (double)place->work.plan.task_count * (double)(place->class_count + 1);
	int rc;

	for (size_t i = 0; i < place->class_count; i++, class ++)
		if (is_same(class, wanted)) {
			*ret = class->placement;
			return 0;
		}
	*ret = (struct placement){ .refusal = PLACEMENT_UNSEEN };
	if (place->class_count == PLACE_FLEET_CLASSES || work > PLACE_FLEET_WORK)
		return 0;
	*class = *wanted;
	rc = simulate(place, class);
	if (rc)
		return rc;
	place->class_count++;
	*ret = class->placement;
	return 0;
}

/* Memory that tasks never reach together changes nothing: the schedule without a limit is the same,
 * since it puts each task on a host that has room with it, too. */
static int place_class(struct place_fleet *place, double cpus, double memory_bytes, size_t hosts,
		       struct placement *ret)
{
	struct fleet_class wanted = { .cpus = cpus, .memory_bytes = INFINITY, .hosts = hosts };
	int rc = find_class(place, &wanted, ret);

	if (rc == 0 && ret->refusal == PLACEMENT_FITS && ret->memory_peak_bytes > memory_bytes) {
		wanted.memory_bytes = memory_bytes;
		rc = find_class(place, &wanted, ret);
	}
	if (place->work.memory_known || ret->refusal != PLACEMENT_FITS)
		return rc;
	ret->memory_peak_bytes = -1;
	ret->notes |= PLACEMENT_MEMORY_UNKNOWN;
	return rc;
}

static int place_on(void *state, const struct recommend_machine *machine, size_t hosts,
		    struct placement *ret)
{
	struct place_fleet *place = state;
	double usable = machine->memory_bytes * (1 - place->headroom);
	bool unknown =
		!place->work.memory_known && machine->memory_bytes < place->largest_host_bytes;

	*ret = (struct placement){ .refusal = PLACEMENT_NO_MEMORY };
	if (unknown || place->largest_bytes > usable)
		return 0;
	ret->refusal = PLACEMENT_NO_CPUS;
	if (place->largest_cpus > machine->cpus)
		return 0;
	return place_class(place, machine->cpus, usable, hosts, ret);
}

struct placeable place_fleet_placeable(struct place_fleet *place)
{
	return (struct placeable){ .state = place,
				   .hosts_most = PLACE_FLEET_HOSTS,
				   .lost_ns = SPOT_START_NS + place->work.lost_ns,
				   .place = place_on };
}
