/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cli/lake/client.h"
#include "cli/terminal/print.h"

/*
 * A command that queries one list of the lake and prints it: as a table, or with --json as the
 * lake's answer. The list's name is the command, the last segment of the API path (/runs, or
 * /runs/RUN/NAME) and the array in the answer.
 */
struct lake_list {
	const char *name;
	bool of_run; /* the list of one run: the command takes a RUN */
	bool paged;  /* the path takes ?limit= */
	const struct column *columns;
	size_t column_count;
	/* The rows in the table's order, as a new reference; NULL: as the lake sent them. */
	json_t *(*order)(json_t *rows);
	/* The rows that are shown without --all, as a new reference, and a line about the others,
	 * empty where there are none. NULL: all are shown. */
	json_t *(*fold)(const json_t *rows);
	void (*fold_note)(struct buffer *out, const json_t *rows, const char *remedy);
};

/* The settings of each such command. An option that a command does not offer stays 0. */
struct lake_list_settings {
	struct common common;
	uint64_t limit; /* rows; 0: all */
	bool all;       /* rows that otherwise the lake (?all=true), or `fold`, summarises in one */
};

#define LAKE_LIST_LIMIT_OPTION                                                                \
	{                                                                                     \
		"limit", CONFIG_U64, offsetof(struct lake_list_settings, limit), "0", 0, 1e9, \
			"rows at most (0: all)"                                               \
	}

/* Runs the command. Returns its exit code; EXIT_NOTHING where the list is empty. */
int lake_list_run(const struct lake_list *list, const struct lake_list_settings *settings, int argc,
		  char **argv);
