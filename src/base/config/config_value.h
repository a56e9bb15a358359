/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/config/config.h"

#define CONFIG_OPTIONS_LIMIT 128 /* of a table; config_defaults refuses a longer one */

/* Parses text as the option's type and sets the option; settings are unchanged on failure. -EINVAL
 * with a message to which the caller adds file and line: "'key' must be …, not 'text'"; -ENOMEM. */
int config_set(void *settings, const struct config_option *option, const char *text,
	       struct error *err);
