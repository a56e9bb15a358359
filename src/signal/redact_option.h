#pragma once
#include <stdbool.h>
#include <stddef.h>

/* How far into an argument vector the command may stand that an option belongs to: "sudo -n curl".
 */
#define COMMAND_DEPTH 8

/* Options that mean a secret only to one command, or to one of its subcommands. */
struct redact_option {
	const char *command, *subcommand, *option;
	enum { REDACT_NEXT = 1, REDACT_ATTACHED = 2 } where; /* "-p VALUE", "-pVALUE" */
};

/* The option that args[at] is, or begins with, to the command that it is given to; or NULL. */
const struct redact_option *redact_option(const char *const *args, size_t at);
