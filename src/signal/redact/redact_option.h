/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "signal/redact/redact_command.h"

/* Options that mean a secret only to one command: "curl -u", "mysql -p". What commands take is from
 * their own documentation. */

enum { REDACT_NEXT = 1, REDACT_ATTACHED = 2, REDACT_NAMES = 4 };

struct redact_option {
	const char *command, *subcommand; /* NULL: any; the subcommand may follow the option */
	const char *option;
	unsigned where;    /* "-p VALUE", "-pVALUE" or "--user=VALUE"; or it names what is none */
	char separator;    /* only a value that holds it; 0: any */
	const char *flags; /* letters that may precede its own: "-sSu VALUE"; NULL: none */
};

/* The option that the argument at `at` is, or begins with, to the command it is given to; or NULL.
 * *ret_attached: what follows it in the same argument, or "". */
const struct redact_option *redact_option(struct redact_command *command, size_t at,
					  const char **ret_attached);
/* Is this value of known a secret, or, say, a user's name without a password? */
bool redact_option_hides(const struct redact_option *known, const char *value, size_t len);
