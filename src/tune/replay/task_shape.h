/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/replay/replay_run.h"

/*
 * What a task needs, whatever it runs beside: CPU time that one thread must do alone, CPU time that
 * several can do at once, and time in which it waits for something else than a CPU. The time in
 * which it was starved of CPUs is no part of it. Pure.
 */
struct task_shape {
	double serial_ns;   /* CPU time of one thread alone */
	double parallel_ns; /* CPU time of width threads at once */
	double width;       /* ≥ 1 */
	double wait_ns;     /* disk, network, locks, pipes, sleep: it does not scale */
	double unknown_ns;  /* of its wall time: it may be a wait or not */
	double starved_ns;  /* what of its wall time is left out */
};

/*
 * cores: that the run had. Where threads waited for CPUs little, what ran alone was measured. Where
 * they waited for each other alone, they had all cores in the part of the time in which more than
 * one ran. Else it follows from how many threads were ready on average: a phase with more threads
 * takes longer than one of a single thread, where they share the cores with so much other work that
 * the task got as much CPU time as it did.
 */
struct task_shape task_shape_find(const struct replay_task *task, double cores);

/* Its time on so many free cores. */
double task_shape_alone_ns(const struct task_shape *shape, double cores);
