/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

/* An instant as a person writes it: "8:00" or "20:30" (the next one in local time), "2026-11-30
 * 08:00" or "2026-11-30T08:00" (local), with a "Z" behind it UTC; as ns since 1970. now: the same.
 * -EINVAL. */
int clock_time_parse(const char *text, int64_t now, int64_t *ret);
#define CLOCK_TIME_SIZE 32
/* "2026-11-30T07:00:00Z", as the lake reads it. Returns text. */
char *clock_time_text(int64_t at, char text[CLOCK_TIME_SIZE]);
