/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/wall.h"

/* What wall time mostly was, in a few words for people: "mostly computing", "mostly waiting for
 * storage", "nothing dominates"; NULL: it is not known. Static. Pure. */
const char *bottleneck_word(const struct wall *wall);
