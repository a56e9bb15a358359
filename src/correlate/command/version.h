/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/*
 * Which version of a tool ran, where its path or its container's image says so. Pure. Only what
 * stands beside the tool's own name counts: the version of a folder of something else (an
 * environment, an interpreter) is not the tool's.
 */
#define VERSION_SIZE 32 /* bytes, the NUL included; a longer one is none */

struct version_query {    /* texts live for the call; NULL: not known */
	const char *tool; /* as it is called: "samtools sort" */
	const char *exe;
	char *const *argv; /* the first few are looked at: what an interpreter runs */
	size_t argc;
	const char *image; /* of its container, as it was asked for */
};

/* "1.17"; "" where nothing says it. Returns text. */
char *version_of(const struct version_query *query, char text[VERSION_SIZE]);
