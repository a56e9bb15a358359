/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "correlate/command/command.h"

/*
 * What `docker run …` and `nerdctl run …` ask a daemon for: the client that the container's
 * processes do not descend from. (podman, singularity and their like start them themselves.)
 */
struct container_run {            /* points into the command's arguments */
	const char *image;        /* as it was asked for */
	const char *name;         /* NULL: the runtime makes one up */
	const char *const *words; /* the command in the container, behind its entrypoint */
	size_t count;             /* of words; 0: the image's own command */
};

/* Options are told from the image by the list of those that take no value (docker 28's and nerdctl
 * 2's `run --help`). false: it runs no container. */
bool container_run_read(const struct command *command, struct container_run *ret);
/* Whether a program's path is such a client's. */
bool container_run_is(const char *exe);
