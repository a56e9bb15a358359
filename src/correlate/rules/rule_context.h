/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* The context of a command, which the conditions of rules compare. Texts are valid for the call;
 * NULL: unknown. */
struct rule_context {
	const char *cwd;
	const char *image;  /* of its container, as it was requested */
	const char *parent; /* the tool that started it */
	const char *user;
};
