/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/failure/process_tree.h"

/*
 * A run as a text, one process a line:
 *
 *     NAME PARENT FROM-UNTIL END [in=P] [out=P] [task=N] [by=NAME] [oom] KIND[/TOOL] ARGUMENT…
 *
 * NAME is a letter, PARENT one or "-". FROM, UNTIL: seconds, "?" unknown. END: ok, c7 (exit code),
 * s9 (signal), run, lost. KIND: "." for none. TOOL, with "_" for blanks, is else the first
 * argument.
 * "_" in an argument is a blank.
 */
#define SCENE_MAX     32
#define SCENE_ARG_MAX 16

struct scene {
	struct tree_process processes[SCENE_MAX];
	const char *argv[SCENE_MAX][SCENE_ARG_MAX];
	char names[SCENE_MAX];
	size_t count;
	char text[4096];
};

void scene_read(struct scene *scene, const char *text);
/* PROCESS_NONE: '-'. */
size_t scene_find(const struct scene *scene, char name);
