/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lake/lake_list.h"

#include "base/cleanup.h"

/* The limit of one request; limit 0: all rows. */
static int page_size(uint64_t limit)
{
	return limit > 0 && limit < CLIENT_PAGE ? (int)limit : CLIENT_PAGE;
}

static void append_path(struct buffer *path, const struct lake_list *list, uint64_t limit, bool all,
			const char *run)
{
	if (run) {
		buffer_append_text(path, "/runs/");
		client_escape(path, run);
	}
	buffer_printf(path, "/%s", list->name);
	if (list->paged)
		buffer_printf(path, "?limit=%d", page_size(limit));
	else if (all)
		buffer_append_text(path, "?all=true");
}

/* Whether rows are left out here, so that --limit counts what stays. */
static bool folds(const struct lake_list *list, const struct lake_list_settings *settings)
{
	return list->fold && !settings->all && !settings->common.json;
}

static void print_folded(const struct lake_list *list, const struct lake_list_settings *settings,
			 const json_t *rows)
{
	json_t *shown CLEANUP(json_decrefp) = list->fold(rows);
	struct buffer note CLEANUP(buffer_clear) = { 0 };

	buffer_init(&note, 0);
	while (settings->limit > 0 && json_array_size(shown) > settings->limit)
		json_array_remove(shown, json_array_size(shown) - 1);
	if (json_array_size(shown) > 0)
		print_table(stdout, shown, list->columns, list->column_count);
	list->fold_note(&note, rows, "--all");
	if (note.len > 0 && !note.failed)
		printf("%s\n", note.data);
}

static void print_rows(const struct lake_list *list, const struct lake_list_settings *settings,
		       json_t *rows)
{
	json_t *ordered CLEANUP(json_decrefp) = list->order ? list->order(rows) : json_incref(rows);

	if (folds(list, settings))
		print_folded(list, settings, ordered);
	else
		print_table(stdout, ordered, list->columns, list->column_count);
}

/* run: NULL for the list of all runs. */
static int query_and_print(const struct lake_list *list, const struct lake_list_settings *settings,
			   const char *run)
{
	json_t *document CLEANUP(json_decrefp) = NULL;
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	struct error err = { 0 };
	uint64_t limit = folds(list, settings) ? 0 : settings->limit;
	json_t *rows;
	int status;

	buffer_init(&path, 4096);
	append_path(&path, list, limit, settings->all, run);
	status = client_get_all(&settings->common, path.data, list->name, limit, &document, &err);
	if (status < 0)
		return client_failed(list->name, status, &err);
	rows = json_object_get(document, list->name);
	if (settings->common.json)
		print_json(document);
	else if (json_array_size(rows) > 0)
		print_rows(list, settings, rows);
	else
		fprintf(stderr, "tracer %s: nothing recorded yet\n", list->name);
	return json_array_size(rows) > 0 ? EXIT_DONE : EXIT_NOTHING;
}

int lake_list_run(const struct lake_list *list, const struct lake_list_settings *settings, int argc,
		  char **argv)
{
	const char *run;

	if (!list->of_run)
		return argc > 0 ? command_usage(list->name, "too many arguments")
				: query_and_print(list, settings, NULL);
	run = command_argument_run(list->name, argc, argv);
	return run ? query_and_print(list, settings, run) : EXIT_USAGE;
}
