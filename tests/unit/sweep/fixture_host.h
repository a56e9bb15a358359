/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "sweep/sweep.h"

#define S    INT64_C(1000000000)
#define M    (60 * S)
#define H    (3600 * S)
#define NOW  (INT64_C(1700000040) * S) /* a whole minute */
#define USD  INT64_C(1000000000)
#define GB   (UINT64_C(1) << 30)
#define MANY 400 /* minutes at most */

/* A host of 8 CPUs and 32 GiB at 1 USD an hour, up for a day, and the input that it is alone in. */
struct one_host {
	struct sweep_policy policy;
	struct sweep_host host;
	struct sweep_minute minutes[MANY];
	struct sweep_hour hours[MANY];
	struct sweep_input input;
};

/* Minutes up to NOW, a letter each, the last one just ended; a number before a letter repeats it:
 * "60w20." is an hour of work and 20 idle minutes.
 *   . idle: 1 % of the CPUs, 20 % of the memory, few bytes    w work that is not tracked: 60 % of
 * the CPUs t the same, tracked l little: 4 % of the CPUs      p a peak: 20 %     P more: 21 %    e
 * just idle: 5 %  E: 6 % d 2 MB/s of a disk             n 2 MB/s of a network      m 60 % of the
 * memory u memory is not known          ? not known, no samples    h half known: 30 s */
void one_host_init(struct one_host *one, const char *minutes);
/* Hours up to the full one before NOW: w 45 % of CPUs and memory, W 51 % of the CPUs, M 51 % of the
 * memory, used; . idle; ? no samples; h half known, used; u used, memory not known;
 * c as w, and for a minute all CPUs by what is not tracked; U as w, and for long. */
void one_host_hours(struct one_host *one, const char *hours);
/* The kinds that a sweep finds, separated by spaces, in alphabetical order. */
const char *kinds_found(const struct sweep_input *input);
/* The first waste of a kind that a sweep finds, NULL: none; valid until the next call. */
const struct waste *find_one(const struct sweep_input *input, const char *kind);
