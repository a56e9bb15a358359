/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "signal/redact/redact_word.h"

/* Secrets of URLs: their userinfo, and the tokens that some sites put into the path. */

/* Does one begin at `at`: at the "://", or at the text before a token? */
bool redact_url(const struct redact_text *text, size_t at, struct redact_place *ret);
