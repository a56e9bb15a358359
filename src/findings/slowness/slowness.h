/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/slowness/slowness_facts.h"
#include "signal/finding.h"

/* Appends what slowed the run, what would save most first. -ENOMEM, -ENOSPC (findings_add). */
int slowness_find(const struct slowness_facts *facts, struct findings *ret);

/* What the wall time of the run mostly was, in a few words (tune/slowness/bottleneck.h); NULL: it
 * is not known. Static. */
const char *slowness_word(const struct slowness_facts *facts);
