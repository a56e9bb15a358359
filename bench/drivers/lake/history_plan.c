/* SPDX-License-Identifier: Apache-2.0 */
#include "history_plan.h"

#define RUNS_OF_HOST    5u
#define LARGE_LANES     128u
#define LARGE_TASK      100u
#define LARGE_LIFE      10u /* samples */
#define LANES           32u
#define TASK            10u
#define EXECUTIONS_OF_K 10u /* executions for each 1,000 samples */

struct history_plan history_plan_of(unsigned hosts)
{
	return (struct history_plan){ .hosts = hosts < 2 ? 2 : hosts,
				      .runs_of_host = RUNS_OF_HOST };
}

unsigned history_plan_runs(const struct history_plan *plan, unsigned host)
{
	return host ? plan->runs_of_host : 1;
}

struct history_run history_plan_run(const struct history_plan *plan, unsigned samples_k,
				    unsigned host, unsigned n)
{
	unsigned executions = samples_k * EXECUTIONS_OF_K, large = executions / 5;
	unsigned runs = (plan->hosts - 1) * plan->runs_of_host;
	uint64_t samples = (uint64_t)samples_k * 1000 - (uint64_t)large * LARGE_LIFE;

	if (!host)
		return (struct history_run){ .number = 0,
					     .lanes = LARGE_LANES,
					     .executions = large,
					     .life = LARGE_LIFE,
					     .task = LARGE_TASK,
					     .steps = 40,
					     .first_round = HISTORY_SLICE };
	return (struct history_run){ .number = 1 + (host - 1) * plan->runs_of_host + n,
				     .lanes = LANES,
				     .executions = (executions - large) / runs,
				     .life = (unsigned)(samples / (executions - large)),
				     .task = TASK,
				     .steps = 8,
				     .first_round = n * (HISTORY_ROUNDS / plan->runs_of_host) +
						    host * 37 % (HISTORY_SLICE * 4) };
}

unsigned history_plan_life(const struct history_run *run, unsigned execution)
{
	uint32_t mix = (execution + 1) * 2654435761u ^ run->number * 40503u;
	unsigned life = run->life / 2 + (mix >> 8) % (run->life + 1);

	return life ? life : 1;
}
