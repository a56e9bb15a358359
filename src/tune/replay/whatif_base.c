/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/replay/whatif_base.h"

#include <math.h>

#include "base/cleanup.h"
#include "tune/replay/measured_cores.h"
#include "tune/replay/whatif_refuse.h"

/* Replays the run as it was, on so many cores. A graph that is refused is not replayed. */
static int replay_measured(struct whatif_base *base, double cores, double peak)
{
	struct whatif *measured = &base->measured;
	CLEANUP(replay_times_clear) struct replay_times times = { 0 };
	struct replay_host host = { .cores = cores, .memory_bytes = INFINITY };
	int rc;

	replay_graph_clear(&base->graph);
	base->slots = engine_slots_find(&base->run->engine, peak, cores);
	host.slots = measured->measured_slots = base->slots.slots;
	host.tasks = base->slots.tasks;
	measured->measured_cores = cores;
	rc = replay_graph_make(&base->graph, base->run, cores, &base->slots);
	if (rc || whatif_refuse_graph(base->run, &base->graph, measured))
		return rc;
	rc = replay_schedule(&base->graph.plan, &host, &times);
	measured->replayed_ns = times.wall_ns;
	return rc;
}

/* Cores that are inferred are believed where the run takes on them what it took, rather than on
 * those of the host. */
static int find_measured(struct whatif_base *base)
{
	const struct replay_run *run = base->run;
	struct whatif *measured = &base->measured;
	struct measured_cores cores;
	double peak = 0, off_inferred;
	int rc = measured_cores_find(run, &cores);

	if (rc == 0)
		rc = replay_graph_peak(run, &peak);
	if (rc)
		return rc;
	measured->measured_ns = (double)(run->ended_at - run->began_at);
	measured->cores_inferred = cores.inferred;
	rc = replay_measured(base, cores.cores, peak);
	if (rc || *measured->refused || !cores.inferred)
		return rc;
	off_inferred = whatif_off(measured);
	rc = replay_measured(base, cores.most, peak);
	measured->cores_inferred = whatif_off(measured) > off_inferred;
	return rc || !measured->cores_inferred ? rc : replay_measured(base, cores.cores, peak);
}

int whatif_base_make(struct whatif_base *base, const struct replay_run *run)
{
	int rc;

	*base = (struct whatif_base){ .run = run };
	if (whatif_refuse_run(run, &base->measured))
		return 0;
	rc = find_measured(base);
	if (rc == 0 && !*base->measured.refused)
		(void)whatif_refuse_replay(&base->measured);
	return rc;
}

void whatif_base_clear(struct whatif_base *base)
{
	replay_graph_clear(&base->graph);
	*base = (struct whatif_base){ 0 };
}
