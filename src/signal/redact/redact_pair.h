/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "signal/redact/redact_word.h"

/* The second of two strings behind a name that ends in "auth": auth=('me', 'VALUE'),
 * HTTPBasicAuth("me", "VALUE"). */

/* Does such a name begin at text[at]? *ret: the password. */
bool redact_pair(const struct redact_text *text, size_t at, struct redact_place *ret);
