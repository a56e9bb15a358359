/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/recommend/place_host.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "tune/recommend/spot_loss.h"

#define NORMAL 1.645 /* standard deviations of a normal distribution: 90 % are within */

/* What of a machine matters; INFINITY: it has more than the run needs. */
struct place_class {
	double cpus, memory_bytes;
	struct slower_io io;
	struct placement placement;
};

/* Their uses are together at most what they use at once if each begins when it can. */
static void look_at_memory(struct place_host *place)
{
	place->memory_known = true;
	for (size_t i = 0; i < place->run->task_count; i++) {
		const struct replay_task *task = &place->run->tasks[i];

		if (!replay_task_ran(task))
			continue;
		place->memory_known = place->memory_known && task->memory_bytes > 0;
		place->largest_bytes = fmax(place->largest_bytes, task->memory_bytes);
	}
}

int place_host_make(struct place_host *place, const struct replay_run *run, double headroom)
{
	*place = (struct place_host){
		.run = run,
		.headroom = headroom,
		.needed = slower_io_needed(run),
		.waits_ns = calloc(run->task_count + 1, sizeof(double)),
		.classes = calloc(PLACE_HOST_CLASSES, sizeof(struct place_class)),
	};
	if (!place->waits_ns || !place->classes)
		return -ENOMEM;
	look_at_memory(place);
	return whatif_base_make(&place->base, run);
}

void place_host_clear(struct place_host *place)
{
	whatif_base_clear(&place->base);
	free(place->waits_ns);
	free(place->classes);
	*place = (struct place_host){ 0 };
}

static double usable(const struct place_host *place, const struct recommend_machine *machine)
{
	return machine->memory_bytes * (1 - place->headroom);
}

/* What the engine leaves of that to tasks: it runs beside them. */
static double room_of(const struct place_host *place, const struct recommend_machine *machine)
{
	return usable(place, machine) - place->run->engine.memory_bytes;
}

/* Memory that is not known of tasks is taken to be at most that of the host that it was. */
static bool has_memory(const struct place_host *place, const struct recommend_machine *machine)
{
	if (!place->memory_known && place->run->host_memory_bytes > 0 &&
	    machine->memory_bytes < place->run->host_memory_bytes)
		return false;
	return room_of(place, machine) > 0 && place->largest_bytes <= room_of(place, machine);
}

static double or_infinite(double rate, double needed)
{
	return rate > 0 && rate < needed ? rate : INFINITY;
}

static struct place_class class_of(const struct place_host *place,
				   const struct recommend_machine *machine)
{
	return (struct place_class){
		.cpus = machine->cpus,
		.memory_bytes = INFINITY,
		.io = { or_infinite(machine->storage_bytes_s, place->needed.storage_bytes_s),
			or_infinite(machine->network_bytes_s, place->needed.network_bytes_s) },
	};
}

static bool same(double one, double other)
{
	return isinf(one) ? isinf(other) : fabs(one - other) <= 1e-9 * fabs(one);
}

static int replay(struct place_host *place, struct place_class *class)
{
	struct whatif whatif = { 0 };
	struct whatif_ask ask = {
		.cores = class->cpus,
		.memory_bytes = isinf(class->memory_bytes) ? 0 : class->memory_bytes,
		.waits_ns = place->waits_ns,
		.brief = true,
	};
	double least;
	int rc;

	slower_io_waits(place->run, &class->io, place->waits_ns);
	rc = whatif_answer(&place->base, &ask, &whatif);
	if (rc)
		return rc;
	least = slower_io_least_ns(place->run, &class->io);
	class->placement = (struct placement){
		.refusal = *whatif.refused ? PLACEMENT_UNSEEN : PLACEMENT_FITS,
		.wall_ns = fmax(whatif.wall_ns, least),
		.spread = *whatif.refused ? 0 : log(whatif.high_ns / whatif.wall_ns) / NORMAL,
		.host_ns = fmax(whatif.wall_ns, least),
		.starts = 1,
		.hosts = 1,
		.memory_peak_bytes = place->memory_known ? whatif.memory_peak_bytes +
								   place->run->engine.memory_bytes
							 : -1,
		.notes = (isinf(class->memory_bytes) ? 0 : PLACEMENT_MEMORY_WAITS) |
			 (isinf(class->io.storage_bytes_s) ? 0 : PLACEMENT_STORAGE_SLOWER) |
			 (isinf(class->io.network_bytes_s) ? 0 : PLACEMENT_NETWORK_SLOWER),
	};
	whatif_clear(&whatif);
	return 0;
}

/* That class, replayed; NULL: there is no room for another one. */
static int find_class(struct place_host *place, const struct place_class *wanted,
		      struct place_class **ret)
{
	struct place_class *class = place->classes;

	for (size_t i = 0; i < place->class_count; i++, class ++)
		if (same(class->cpus, wanted->cpus) &&
		    same(class->memory_bytes, wanted->memory_bytes) &&
		    same(class->io.storage_bytes_s, wanted->io.storage_bytes_s) &&
		    same(class->io.network_bytes_s, wanted->io.network_bytes_s)) {
			*ret = class;
			return 0;
		}
	*ret = NULL;
	if (place->class_count == PLACE_HOST_CLASSES)
		return 0;
	*class = *wanted;
	place->class_count++;
	*ret = class;
	return replay(place, class);
}

static unsigned unknown_of(const struct place_host *place, const struct recommend_machine *machine)
{
	unsigned notes = place->memory_known ? 0 : PLACEMENT_MEMORY_UNKNOWN;

	if (place->needed.storage_bytes_s > 0 && !(machine->storage_bytes_s > 0))
		notes |= PLACEMENT_STORAGE_UNKNOWN;
	if (place->needed.network_bytes_s > 0 && !(machine->network_bytes_s > 0))
		notes |= PLACEMENT_NETWORK_UNKNOWN;
	return notes;
}

/* Without a limit of memory first: where what tasks use at once fits, there is none. */
static int place_on(void *state, const struct recommend_machine *machine, size_t hosts,
		    struct placement *ret)
{
	struct place_host *place = state;
	struct place_class wanted = class_of(place, machine), *class;
	int rc;

	(void)hosts;
	*ret = (struct placement){ .refusal = PLACEMENT_NO_MEMORY };
	if (!has_memory(place, machine))
		return 0;
	rc = find_class(place, &wanted, &class);
	if (rc == 0 && class && place->memory_known && class->placement.refusal == PLACEMENT_FITS &&
	    class->placement.memory_peak_bytes > usable(place, machine)) {
		wanted.memory_bytes = room_of(place, machine);
		rc = find_class(place, &wanted, &class);
	}
	ret->refusal = PLACEMENT_UNSEEN;
	if (rc == 0 && class) {
		*ret = class->placement;
		ret->notes |= unknown_of(place, machine);
	}
	return rc;
}

struct placeable place_host_placeable(struct place_host *place, bool restartable)
{
	return (struct placeable){ .state = place,
				   .hosts_most = 1,
				   .lost_ns = spot_lost_ns(place->run, restartable),
				   .place = place_on };
}
