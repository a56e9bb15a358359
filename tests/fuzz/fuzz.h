/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Takes any bytes; what it finds broken ends the process. Called by libFuzzer or by replay.c. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* What must hold whatever the bytes are; also where assert() is compiled out. */
#define MUST(condition)                                                                         \
	do {                                                                                    \
		if (!(condition)) {                                                             \
			fprintf(stderr, "broken: %s, %s:%d\n", #condition, __FILE__, __LINE__); \
			abort();                                                                \
		}                                                                               \
	} while (0)
