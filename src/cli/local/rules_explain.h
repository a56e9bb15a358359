/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct rules;

/* Around the command: "" is unknown. */
struct rules_explain {
	char *cwd, *image, *parent, *user;
};

/* Prints what a command as people type it is called, by which rule, through which interpreters, and
 * whether its exec begins tracking. A program that is here and is a script is read as the kernel
 * does. */
void rules_explain(const struct rules *rules, const struct rules_explain *around, size_t argc,
		   char **argv, bool json);
