/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/fixture_replay.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"

static void read_edges(struct replay_scene *scene, const char *edges)
{
	unsigned from, to;
	double at;
	int len;

	for (; sscanf(edges, "%u %u %lf\n%n", &from, &to, &at, &len) == 3; edges += len)
		scene->edges[scene->run.edge_count++] =
			(struct flow_edge){ from, to, SCENE_BEGAN + (int64_t)(at * NS_PER_S), 1 };
}

void replay_scene_read(struct replay_scene *scene, const char *tasks, const char *edges)
{
	double from, to, cpu, ready, disk, memory, last = 0;
	struct replay_task *task = scene->tasks;
	int len;

	*scene = (struct replay_scene){ 0 };
	for (size_t i = 0; sscanf(tasks, "%15s %lf %lf %lf %lf %lf %lf\n%n", scene->steps[i], &from,
				  &to, &cpu, &ready, &disk, &memory, &len) == 7;
	     tasks += len, i++, task++) {
		double starved = fmax(to - from - cpu - disk, 0);

		*task = (struct replay_task){ .id = scene->steps[i],
					      .step = scene->steps[i],
					      .name = scene->steps[i],
					      .started_at =
						      SCENE_BEGAN + (int64_t)(from * NS_PER_S),
					      .ended_at = SCENE_BEGAN + (int64_t)(to * NS_PER_S),
					      .cpu_ns = cpu * NS_PER_S,
					      .runnable_ns = ready * NS_PER_S,
					      .threads = 1,
					      .slots = 1,
					      .memory_bytes = memory };
		task->wall.ns[WALL_DISK] = disk * NS_PER_S;
		task->wall.ns[WALL_RUNNABLE] = starved * NS_PER_S;
		task->wall.ns[WALL_COMPUTING] = (to - from - disk - starved) * NS_PER_S;
		task->wall.serial_ns = task->wall.ns[WALL_COMPUTING];
		last = fmax(last, to);
	}
	scene->run = (struct replay_run){ .status = "succeeded",
					  .began_at = SCENE_BEGAN,
					  .ended_at = SCENE_BEGAN + (int64_t)(last * NS_PER_S),
					  .tasks = scene->tasks,
					  .task_count = (size_t)(task - scene->tasks),
					  .edges = scene->edges,
					  .complete = true,
					  .engine = { .name = "make", .command = "make -j 2" },
					  .hosts = 1,
					  .host_cpus = 2 };
	read_edges(scene, edges);
}
