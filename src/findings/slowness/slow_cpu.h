/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/slowness/slowness_facts.h"

/* By how much a link is longer because its threads did not get the CPUs that they were ready for,
 * and why (tune/slowness/cpu_loss.h). */
struct slow_cpu {
	double ready, got; /* CPUs, on average */
	double others_ns;  /* other work on the host had them */
	double limit_ns;   /* its control group may not use more */
	double own_ns;     /* it had more ready threads than the host has CPUs */
};
struct slow_cpu slow_cpu_find(const struct slowness_facts *facts, const struct slow_link *link);

/* CPUs that others than the run used on a host, on average; with what the machine below took
 * (steal). */
double slow_cpu_others(const struct slow_host *host);
/* CPUs that were free while the run lasted, on average; 0: not known. */
double slow_cpu_idle(const struct slow_host *host);
