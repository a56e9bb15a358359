/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/expect/usual.h"

/* What is not as usual, in one sentence: "Its wall time was 12m 04s at the median of its tasks;
 * usual is 5m 10s to 6m 20s for such inputs (10 earlier runs)." An owned text; NULL: no memory. */
char *unusual_words(const struct unusual *unusual);
/* A few words for lists: "`align` took 2.1 times as long as usual". An owned text; NULL: no memory,
 * or a kind of which nothing is said in lists. */
char *unusual_headline(const char *step, const struct unusual *unusual);
/* What to look at; never NULL. */
const char *unusual_advice(const struct unusual *unusual);
/* Whether it is worth a warning where a whole step shows it. */
bool unusual_warns(const struct unusual *unusual);
/* Whether it is a matter of its own: attempts that failed, a request that was overrun. */
bool unusual_is_alone(const struct unusual *unusual);
