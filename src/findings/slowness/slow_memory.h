/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/slowness/slowness_facts.h"

/* Whether the control group of a link was at its memory limit again and again: then its waits for
 * storage, and its time in the kernel, are for memory. */
bool slow_memory_is_short(const struct slowness_facts *facts, const struct slow_link *link);
