/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/config/config.h"

#define CONFIG_OPTIONS_LIMIT 128 /* of one table; config_defaults refuses a longer one */

/* Reads text as the option's type and sets it in settings, which stays as it was on failure.
 * -EINVAL with words that a place goes before: "'key' must be …, not 'text'"; -ENOMEM. */
int config_set(void *settings, const struct config_option *option, const char *text,
	       struct error *err);
