/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Tests one input of any bytes; a broken condition ends the process. Called by libFuzzer or by
 * replay.c. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* A condition that holds for any input; checked also where assert() is compiled out. */
#define MUST(condition)                                                                         \
	do {                                                                                    \
		if (!(condition)) {                                                             \
			fprintf(stderr, "broken: %s, %s:%d\n", #condition, __FILE__, __LINE__); \
			abort();                                                                \
		}                                                                               \
	} while (0)
