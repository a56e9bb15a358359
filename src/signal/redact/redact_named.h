/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "signal/redact/redact_word.h"

/* Secrets that follow a name: NAME=VALUE, "name": "value", Name: value, "--name value"
 * within a text, <name>value</name>, PASSWORD 'value' of SQL. */

/* Does a name begin at `at` that gives one? */
bool redact_named(const struct redact_text *text, size_t at, struct redact_place *ret);
