/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * How long work lasted only because it did not get the CPUs that its threads were ready to use.
 * Wall time shows but a part of it: of a task with several threads the time in which none of them
 * ran. Pure.
 */
struct cpu_use {
	double wall_ns; /* in which it computed or was ready to */
	double cpu_ns;  /* of all its threads */
	double runnable_ns;
	double cpus; /* of its host */
};

struct cpu_loss {
	double ready;  /* threads that computed or were ready, on average */
	double got;    /* CPUs that it had, on average */
	double all_ns; /* of wall_ns: with a CPU for each ready thread it would be faster by this */
	double taken_ns; /* of this: it got less than the host has */
	double own_ns;   /* of this: it had more ready threads than the host has CPUs */
};

struct cpu_loss cpu_loss_find(const struct cpu_use *use);

/* The part of what was taken that others took, of what they and other tasks of the same run used
 * of the host's CPUs meanwhile (in CPUs, on average): 0 to 1. */
double cpu_loss_share(const struct cpu_use *use, double others, double own_run);
