/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/slowness/slowness_facts.h"

/* Whether a link waited for memory, or for storage that had to deliver pages. */
enum slow_memory {
	MEMORY_NOT_KNOWN,
	/* By the pressure figures of the host (accounting/psi.rst of the kernel) memory was not
	 * short: page faults were the first reads of programs and mapped files. */
	MEMORY_ENOUGH,
	MEMORY_SHORT_HOST, /* by the same figures */
	/* Its control group was at its limit again and again: then its waits for storage, and its
	 * time in the kernel, are for memory, too. */
	MEMORY_SHORT_GROUP,
};

enum slow_memory slow_memory_of(const struct slowness_facts *facts, const struct slow_link *link);
