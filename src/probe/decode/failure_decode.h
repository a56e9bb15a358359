/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/decode/process_decode.h"

/* Records of signals that ended a process, and of execs and opens that failed (abi/failure.h). */
int failure_decode_kill(const void *bytes, size_t size, unsigned page_shift,
			const struct probe_handler *handler);
int failure_decode_attempt(const void *bytes, size_t size, const struct probe_handler *handler);
int failure_decode_opens(const void *bytes, size_t size, const struct probe_handler *handler);
