/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/clock.h"

/* An instant of RFC 3339, with any offset, as UTC ("2026-11-21T06:30:00.000000Z"); "" where text is
 * none. Returns ret. */
char *utc_text(const char *text, char ret[CLOCK_TEXT_SIZE]);
