/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "correlate/command/command.h"

/*
 * `docker run …` and `nerdctl run …`: clients that have a daemon start the container, so that the
 * container's processes do not descend from them. (podman and singularity start their containers
 * themselves.)
 */
struct container_run {            /* points into the command's arguments */
	const char *image;        /* as on the command line */
	const char *name;         /* NULL: the runtime generates one */
	const char *const *words; /* the command in the container, behind its entrypoint */
	size_t count;             /* of words; 0: the image's own command */
};

/* Finds the image by the list of options that take no value (`run --help` of docker 28 and nerdctl
 * 2). false: it runs no container. */
bool container_run_read(const struct command *command, struct container_run *ret);
/* Whether a program is such a client, by its path. */
bool container_run_is(const char *exe);
