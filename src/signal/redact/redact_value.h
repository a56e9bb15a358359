/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Values that a name may call a secret, and which of them are none. */

/* What a name says of its value; 0: nothing about secrets. */
enum {
	REDACT_SECRET = 1,
	REDACT_NUMBERS_STAY = 2,  /* "--token 3" counts */
	REDACT_PATHS_STAY = 4,    /* "--credentials aws.json" points */
	REDACT_IF_RANDOM = 8,     /* "--key chrom" names a column, "--key 5f4dcc3b…" is one */
	REDACT_METHODS_STAY = 16, /* "--auth kerberos" */
	REDACT_USERS_STAY = 32,   /* "--login me", "bash --login run.sh" */
	REDACT_IF_PIN = 64,       /* "--pin 4711"; "--pin 3" is a core, "--pin on" a switch */
};

/* Is this value (NUL somewhere behind len) of a name of that kind a secret? Empty values,
 * references ("$TOKEN", "$(cat f)", "{{ token }}", "env:TOKEN", "/run/secrets/db"), switches
 * ("false") are none, and what such names ordinarily count or point at. */
bool redact_value_hides(unsigned kind, const char *value, size_t len);
/* "me", "jane.doe%40lab.org": a name, or a reference; a token in the place of a name is
 * longer and has digits. */
bool redact_value_is_user(const char *value, size_t len);
/* "$NAME", "${NAME}", "$(…)", "`…`", "{name}", "<name>" and nothing else: said, not given. */
bool redact_value_refers(const char *value, size_t len);
