/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/json.h"
#include "signal/finding.h"
#include "tune/size/size.h"

/* How sure an advised size is, by how much history it rests on. amount NULL: not by history, but by
 * what this run shows. */

/* Behind a summary: " By 12 tasks of 3 runs." or " Not sure yet: …"; "" for NULL. An owned text;
 * NULL: no memory. */
char *step_sure_words(const struct size_amount *amount);
enum finding_confidence step_sure_confidence(const struct size_amount *amount);
/* Adds what it rests on. */
void step_sure_evidence(const struct size_amount *amount, struct json *json);
