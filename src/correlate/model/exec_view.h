/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "correlate/command/command.h"
#include "correlate/model/image.h"

/* An exec as engines and the tree see it: the image, its command line parsed through interpreters,
 * and the name of the tool that it runs. */
struct exec_view {
	const struct tree_image *image;
	const struct command *command;
	char name[TOOL_NAME_SIZE];
};
