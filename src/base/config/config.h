/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Reads settings into a struct, described by a table of options. Sources, each overriding the ones
 * before: the defaults of the table, a YAML file, the environment, the command line. The key
 * "ship.lake-url" of the table is nested in YAML (ship: {lake-url: …}; '_' is accepted for '-'),
 * TRACER_SHIP_LAKE_URL in the environment and --ship-lake-url VALUE, or --ship-lake-url=VALUE, on
 * the command line. An unknown key, a key given twice, a wrong type or a missing file is an error
 * of one line, with file, line and the nearest valid key. A secret is never an option: its key
 * names a file.
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
	const char *fallback; /* the default, as text */
	double min, max;      /* of numbers, in the unit of the type; both 0: any */
	const char *help;     /* one line */
};

/* Sets every option to its default. -EINVAL: the table is wrong (a bad default, or more than 128
 * options). */
int config_defaults(void *settings, const struct config_option *options, size_t count);
/* Reads a YAML file (≤ 1 MiB). -ENOENT, -EINVAL, -EFBIG with a message "FILE:LINE: …". */
int config_file(void *settings, const struct config_option *options, size_t count, const char *path,
		struct error *err);
/* Reads the TRACER_… variables of environ. */
int config_environment(void *settings, const struct config_option *options, size_t count,
		       struct error *err);
/* Reads the options of the table and removes them from argv (argc is updated, the order of the rest
 * kept); stops at "--". -EINVAL: an option that is not in the table, with the nearest key. The file
 * of `--config FILE` is read first (config_file), then the environment again, which overrides it.
 */
int config_arguments(void *settings, const struct config_option *options, size_t count, int *argc,
		     char **argv, struct error *err);
/* Frees the texts of settings. */
void config_clear(void *settings, const struct config_option *options, size_t count);
/* Appends the help of the table: one line for each option. */
struct buffer;
void config_help(struct buffer *out, const struct config_option *options, size_t count);
