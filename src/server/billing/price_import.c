/* SPDX-License-Identifier: Apache-2.0 */
#include "server/billing/price_import.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/file.h"
#include "cost/instant.h"
#include "lake/store/import/store_import.h"
#include "lake/store/store_reader.h"
#include "server/findings/analysis_worker.h"
#include "server/query/query.h"
#include "server/server.h"

#define ROWS_LIMIT (64u << 20)
#define HEAD       "provider,region,instance_type,purchase,usd_hour\n"

/* A file below the data folder that is removed at the end. */
struct own_file {
	char path[4096];
};

static void own_file_remove(struct own_file *file)
{
	if (*file->path)
		unlink(file->path);
}

static int own_file_write(struct own_file *file, const struct server *server, const char *bytes,
			  size_t len, struct error *err)
{
	static atomic_uint last;
	char folder[sizeof(file->path) - 32];
	int rc;

	if (snprintf(folder, sizeof(folder), "%s/prices", server->settings->data_folder) >=
	    (int)sizeof(folder))
		return error_set(err, -ENAMETOOLONG, "the data folder's name is too long");
	rc = file_make_folder(folder, 0700, err);
	if (rc)
		return rc;
	snprintf(file->path, sizeof(file->path), "%s/%u.csv", folder, ++last);
	return file_write(file->path, bytes, len, 0600, err);
}

static int add_row(void *context, const struct price_entry *entry)
{
	struct buffer *rows = context;

	buffer_printf(rows, "%s,%s,%s,%s,%.12g\n", entry->provider, entry->region, entry->type,
		      entry->purchase, entry->usd_hour);
	return rows->failed ? -ENOMEM : 0;
}

/* Rows that are in bounds, of whatever file it is. */
static int read_rows(const struct price_list *list, struct buffer *rows, struct price_summary *ret,
		     struct error *err)
{
	CLEANUP(price_file_freep) struct price_file *file = price_file_new(add_row, rows);
	int rc = file ? 0 : error_set(err, -ENOMEM, "no memory to read the prices");

	buffer_append_text(rows, HEAD);
	if (!rc)
		rc = price_file_feed(file, list->bytes, list->len, err);
	if (!rc)
		rc = price_file_end(file, ret, err);
	return rc;
}

/* It takes longer than a question may, and does not end because its client has gone. */
static int import(struct server *server, const struct store_import *asked, struct store_rows **ret,
		  struct error *err)
{
	struct store_reader *reader = store_reader_current();
	int rc;

	store_reader_use(NULL);
	rc = store_import(server->store, asked, ret, err);
	store_reader_use(reader);
	if (rc)
		return rc;
	server->changes++;
	analysis_worker_renew(server->analyst);
	return 0;
}

static int date_param(const char *date, struct store_param *param, struct error *err)
{
	*param = (struct store_param){ .name = "valid_from", .type = STORE_NULL };
	if (!date || !*date)
		return 0;
	param->type = STORE_TIME;
	return instant_parse(date, &param->i64, err);
}

int price_list_import(struct server *server, const struct price_list *list,
		      struct price_import *ret, struct error *err)
{
	CLEANUP(own_file_remove) struct own_file file = { "" };
	CLEANUP(store_rows_freep) struct store_rows *answer = NULL;
	CLEANUP(buffer_clear) struct buffer rows = { 0 };
	struct price_summary summary = { .prices = 0 };
	struct store_param params[] = {
		PARAM_TEXT("list", list->name),
		PARAM_TIME("now", clock_real_ns()),
		{ .name = "valid_from" },
	};
	int rc;

	buffer_init(&rows, ROWS_LIMIT);
	rc = read_rows(list, &rows, &summary, err);
	if (!rc)
		rc = date_param(list->date ? list->date : summary.date, &params[2], err);
	if (!rc)
		rc = own_file_write(&file, server, rows.data, rows.len, err);
	if (!rc)
		rc = import(
			server,
			&(struct store_import){
				.kind = "prices", .path = file.path, .params = params, .count = 3 },
			&answer, err);
	if (rc)
		return rc;
	*ret = (struct price_import){ .summary = summary };
	if (store_next(answer)) {
		ret->summary.prices = (uint64_t)row_i64(answer, "prices");
		ret->hosts = row_i64(answer, "hosts");
	}
	return 0;
}

int price_correct(struct server *server, const struct price_correction *correction,
		  struct error *err)
{
	CLEANUP(own_file_remove) struct own_file file = { "" };
	CLEANUP(store_rows_freep) struct store_rows *answer = NULL;
	const struct store_param params[] = {
		PARAM_TEXT("host", correction->host),
		PARAM_TEXT("source", correction->source),
		PARAM_TIME("now", clock_real_ns()),
		{ .name = "usd_hour", .type = STORE_DOUBLE, .number = correction->usd_hour },
		{ .name = "since_at",
		  .type = correction->since_at ? STORE_TIME : STORE_NULL,
		  .i64 = correction->since_at },
	};
	int rc = own_file_write(&file, server, "-\n", 2, err);

	if (!rc)
		rc = import(server,
			    &(struct store_import){ .kind = "host_price",
						    .path = file.path,
						    .params = params,
						    .count = 5 },
			    &answer, err);
	if (!rc && (!store_next(answer) || !row_i64(answer, "prices")))
		rc = error_set(err, -ENOENT, "there is no host \"%s\"", correction->host);
	return rc;
}
