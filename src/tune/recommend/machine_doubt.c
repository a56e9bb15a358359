/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/recommend/machine_doubt.h"

#include <math.h>
#include <string.h>

#define CLOCK_NEAR 0.02 /* of a clock: rounding */

/* Per thread, current generations of one architecture differ by a tenth to a quarter in what
 * vendors publish of them; a core without its sibling thread does 1.2 to 1.4 times as much. The
 * spreads are of that size: assumptions, not measurements. */
static const struct {
	double spread;
	const char *words;
} DOUBTS[] = {
	[DOUBT_MEASURED_UNKNOWN] = { 0.15, "Which type the measured machine is, is not known: its "
					   "CPUs are taken to be as fast." },
	[DOUBT_ARCH] = { 0.3, "Another architecture: whether the programs run there, and how fast, "
			      "is not known." },
	[DOUBT_FAMILY] = { 0.1, "Another family or generation: its speed was not measured." },
	[DOUBT_CLOCK] = { 0.05, "Another clock: its speed was not measured." },
	[DOUBT_THREADS] = { 0.12, "A CPU is a whole core on one of the machines, and a thread of a "
				  "core on the other." },
	[DOUBT_BURST] = { 0.3, "Burstable: for how long its CPUs are as fast is not simulated." },
};

static bool is_known(const char *text)
{
	return *text != '\0';
}

static bool differs(double one, double other, double near)
{
	return one > 0 && other > 0 && fabs(one / other - 1) > near;
}

unsigned machine_doubts(const struct recommend_machine *measured,
			const struct recommend_machine *machine)
{
	bool other_arch = is_known(measured->arch) && is_known(machine->arch) &&
			  strcmp(measured->arch, machine->arch) != 0;
	bool same_family = strcmp(measured->provider, machine->provider) == 0 &&
			   strcmp(measured->family, machine->family) == 0;
	unsigned doubts = 0;

	if (machine->burstable)
		doubts |= 1u << DOUBT_BURST;
	if (other_arch)
		return doubts | 1u << DOUBT_ARCH;
	if (!is_known(measured->family))
		return doubts | (is_known(machine->family) ? 1u << DOUBT_MEASURED_UNKNOWN : 0);
	if (!same_family)
		doubts |= 1u << DOUBT_FAMILY;
	else if (differs(measured->clock_ghz, machine->clock_ghz, CLOCK_NEAR))
		doubts |= 1u << DOUBT_CLOCK;
	if (differs(measured->threads_per_core, machine->threads_per_core, 0))
		doubts |= 1u << DOUBT_THREADS;
	return doubts;
}

double machine_doubt_spread(unsigned doubts)
{
	double variance = 0;

	for (int i = 0; i < MACHINE_DOUBTS; i++)
		if (doubts & 1u << i)
			variance += DOUBTS[i].spread * DOUBTS[i].spread;
	return sqrt(variance);
}

const char *machine_doubt_words(enum machine_doubt doubt)
{
	return DOUBTS[doubt].words;
}
