/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/buffer.h"
#include "tune/diff/run_diff.h"

/* The comparison of two runs in sentences, in the same words for terminal, page and findings. Pure.
 */

/* "bwa 0.7.19 instead of bwa 0.7.17", "requested CPUs: 2 instead of 4". */
void diff_say_fact(const struct step_fact *fact, struct buffer *out);
/* Why the step took longer or less: a fact, with "perhaps" where several fit; else where the time
 * went, and that it is not known why. Nothing where there is no difference. */
void diff_say_reason(const struct step_diff *step, struct buffer *out);
/* The run: "2m 05s slower (20 %): ALIGN +1m 50s (…), SORT +12 s (…), the rest +3 s." Says so where
 * wall times are not compared, because a run has not ended. */
void run_diff_say(const struct run_diff *diff, struct buffer *out);
/* "+1m 50s", "-12 s", "0 s". */
void diff_say_ns(int64_t ns, struct buffer *out);
