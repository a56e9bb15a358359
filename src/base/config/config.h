/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Settings from, in this order, a table of defaults, a YAML file, the environment (TRACER_KEY) and
 * the command line
 * (--key VALUE, --key=VALUE), each overriding the one before. A key is written "ship.lake-url" in
 * the table; in YAML it is nested (ship: {lake-url: …}; '_' for '-' is accepted), as an option
 * --ship-lake-url, in the environment TRACER_SHIP_LAKE_URL. An unknown key, a wrong type or a
 * missing file is one line with file, line and the nearest valid key; so is a key given twice.
 * Secrets have no option: only
 * *_file keys.
 */
enum config_type {
	CONFIG_TEXT,     /* char *, owned by the settings, "" by default */
	CONFIG_BOOL,     /* bool */
	CONFIG_U64,      /* uint64_t, within [min, max] */
	CONFIG_DOUBLE,   /* double */
	CONFIG_BYTES,    /* uint64_t, "8G" */
	CONFIG_DURATION, /* uint64_t ns, "5s", "100ms", "2m" */
};

struct config_option {
	const char *key;
	enum config_type type;
	size_t offset;        /* in the settings struct */
	const char *fallback; /* as it would be written */
	double min, max;      /* of numbers, in their unit; both 0: any */
	const char *help;     /* one line */
};

/* Sets every option to its fallback. -EINVAL is a programmer's mistake in the table (also more than
 * 128 options). */
int config_defaults(void *settings, const struct config_option *options, size_t count);
/* Reads a YAML file (≤ 1 MiB). -ENOENT, -EINVAL, -EFBIG with words "FILE:LINE: …". */
int config_file(void *settings, const struct config_option *options, size_t count, const char *path,
		struct error *err);
/* Takes TRACER_… variables from environ. */
int config_environment(void *settings, const struct config_option *options, size_t count,
		       struct error *err);
/* Takes the options it knows out of argv (argc is updated, order of the rest kept); stops at "--".
 * An option starting with "--" that is not in the table is -EINVAL with the nearest key. `--config
 * FILE` is read first (config_file), and the environment once more above it. */
int config_arguments(void *settings, const struct config_option *options, size_t count, int *argc,
		     char **argv, struct error *err);
/* Frees the texts. */
void config_clear(void *settings, const struct config_option *options, size_t count);
/* Appends the table as help: one option a line. */
struct buffer;
void config_help(struct buffer *out, const struct config_option *options, size_t count);
