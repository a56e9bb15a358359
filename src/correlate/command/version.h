/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/*
 * The version of a tool, from its path or its container's image. Pure. Only a version next to the
 * tool's own name counts; that of another folder (an environment, an interpreter) is not the
 * tool's.
 */
#define VERSION_SIZE 32 /* bytes with the NUL; a longer text is no version */

struct version_query {    /* texts live for the call; NULL: not known */
	const char *tool; /* its name: "samtools sort" */
	const char *exe;
	char *const *argv; /* the first few are searched, for what an interpreter runs */
	size_t argc;
	const char *image; /* of its container, as it was requested */
};

/* "1.17"; "": unknown. Returns text. */
char *version_of(const struct version_query *query, char text[VERSION_SIZE]);
