/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* The answer of a lake to a batch. */
struct answer {
	unsigned status;
	unsigned retry_after_s; /* 0: not given */
	bool duplicate;
	bool closes; /* the lake closes the connection behind it */
};

/* Reads what arrived so far, which ends with a NUL: 1 and *ret, 0: more is to come, -1: this is no
 * answer with a Content-Length. */
int answer_read(const char *text, size_t len, struct answer *ret);
