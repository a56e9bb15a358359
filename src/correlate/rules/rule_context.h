/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What stands around a command, as far as it is known: rules may ask for it. Texts live for the
 * call; NULL: not known. */
struct rule_context {
	const char *cwd;
	const char *image;  /* of its container, as it was asked for */
	const char *parent; /* the tool that started it */
	const char *user;
};
