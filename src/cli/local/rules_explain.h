/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct rules;

/* The context of the command, which rules can ask for: "" is unknown. */
struct rules_explain {
	char *cwd, *image, *parent, *user;
};

/* Prints the tool name of a command line, the rule that gives it, the interpreters that the name
 * looks through, and whether its exec begins tracking. The interpreter line of a script on this
 * host is followed as the kernel follows it. */
void rules_explain(const struct rules *rules, const struct rules_explain *around, size_t argc,
		   char **argv, bool json);
