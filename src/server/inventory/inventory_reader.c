/* SPDX-License-Identifier: Apache-2.0 */
#include "server/inventory/inventory_reader.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "inventory/inventory.h"
#include "server/inventory/inventory_rows.h"
#include "server/inventory/inventory_store.h"
#include "server/server.h"

#define ROWS_MAX (INVENTORY_ROWS + 1000) /* with those of regions */

struct inventory_reader {
	struct server *server;
	const struct inventory_settings *settings;
	struct lister lister;
	pthread_t thread;
	char line[INVENTORY_LINE + 1];
	size_t len;
	bool skipping; /* the rest of a line that is too long */
	/* The listing that is being read. */
	char path[4096];
	FILE *rows; /* NULL: none */
	size_t count, bad;
	int64_t begun_at;
	char account[INVENTORY_NAME];
	char error[INVENTORY_ACCOUNTS][128]; /* that was logged last, by account */
	atomic_bool stopping;
};

static const struct inventory_account *find_account(const struct inventory_reader *reader,
						    const char *name, size_t *ret_place)
{
	for (*ret_place = 0; *ret_place < reader->settings->count; ++*ret_place)
		if (strcmp(reader->settings->accounts[*ret_place].name, name) == 0)
			return &reader->settings->accounts[*ret_place];
	return NULL;
}

static int open_rows(struct inventory_reader *reader, const char *account)
{
	if (reader->rows)
		return 0;
	reader->rows = fopen(reader->path, "we");
	reader->begun_at = clock_real_ns();
	reader->count = reader->bad = 0;
	snprintf(reader->account, sizeof(reader->account), "%s", account);
	return reader->rows ? 0 : -errno;
}

static void close_rows(struct inventory_reader *reader)
{
	fclosep(&reader->rows);
	unlink(reader->path);
}

/* Once, until it is another one. */
static void log_state(struct inventory_reader *reader, size_t place, const char *error)
{
	char cut[sizeof(reader->error[0])];

	text_cut(*error ? error : "-", *error ? strlen(error) : 1, cut, sizeof(cut));
	if (strcmp(reader->error[place], cut) == 0)
		return;
	memcpy(reader->error[place], cut, sizeof(cut));
	if (*error)
		log_warning("account %s is not listed completely: %s", reader->account, error);
	else
		log_info("account %s is listed: %zu rows", reader->account, reader->count);
}

/* With the last row of an account. */
static void store_rows(struct inventory_reader *reader, const char *error)
{
	size_t place = 0;
	const struct inventory_account *account = find_account(reader, reader->account, &place);
	struct error err = { "" };
	int rc = ferror(reader->rows) ? -EIO : 0;

	if (fclose(TAKE_PTR(reader->rows)) != 0)
		rc = -EIO;
	reader->server->metrics.listings++;
	if (*error)
		reader->server->metrics.incomplete_listings++;
	if (rc)
		error_set(&err, rc, "%s cannot be written", reader->path);
	if (rc == 0 && account)
		rc = inventory_store(reader->server, account, reader->path, reader->begun_at, &err);
	if (account)
		log_state(reader, place, rc ? error_text(&err) : error);
}

/* A line that is not believed: of a listing with one nothing is gone. */
static void note_bad(struct inventory_reader *reader)
{
	reader->bad++;
}

static bool belongs(struct inventory_reader *reader, const struct inventory_row *row)
{
	return strcmp(row->account, reader->account) == 0 && reader->count < ROWS_MAX;
}

static void take_line(struct inventory_reader *reader, const char *line, size_t len)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };
	struct inventory_row row;
	struct error err = { "" };

	buffer_init(&out, 2 * INVENTORY_LINE);
	if (len == 0)
		return;
	if (inventory_row_read(line, len, &out, &row, &err)) {
		log_debug("%s", error_text(&err));
		note_bad(reader);
		return;
	}
	if (open_rows(reader, row.account) || !belongs(reader, &row)) {
		note_bad(reader);
		return;
	}
	/* The regions come behind their rows. */
	if (row.kind != INVENTORY_REGION || reader->bad == 0)
		fwrite(out.data, 1, out.len, reader->rows);
	reader->count++;
	if (row.kind == INVENTORY_LISTING) {
		store_rows(reader, row.error);
		close_rows(reader);
	}
}

/* Takes the complete lines of what was read. */
static void take_bytes(struct inventory_reader *reader, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] == '\n') {
			if (!reader->skipping)
				take_line(reader, reader->line, reader->len);
			reader->skipping = false;
			reader->len = 0;
		} else if (reader->len < INVENTORY_LINE) {
			reader->line[reader->len++] = bytes[i];
		} else if (!reader->skipping) {
			reader->skipping = true;
			note_bad(reader);
		}
	}
}

static void *read_lines(void *context)
{
	struct inventory_reader *reader = context;
	char bytes[16384];
	ssize_t len;

	do {
		len = read(reader->lister.lines, bytes, sizeof(bytes));
		if (len > 0)
			take_bytes(reader, bytes, (size_t)len);
	} while (len > 0 || (len < 0 && errno == EINTR));
	close_rows(reader);
	if (reader->stopping)
		return NULL;
	reader->server->metrics.ended_listers++;
	log_error("the process that lists accounts has ended: no account is listed until the lake "
		  "is started again");
	return NULL;
}

static int name_file(struct inventory_reader *reader, struct error *err)
{
	const char *folder = reader->server->settings->data_folder;
	int len = snprintf(reader->path, sizeof(reader->path), "%s/inventory", folder);

	if (len < 0 || (size_t)len >= sizeof(reader->path) - 32)
		return error_set(err, -ENAMETOOLONG, "the data folder's name is too long");
	if (file_make_folder(reader->path, 0700, err))
		return -EIO;
	snprintf(reader->path + len, sizeof(reader->path) - (size_t)len, "/listing.json");
	return 0;
}

int inventory_reader_start(struct inventory_reader **ret, struct server *server,
			   const struct inventory_settings *settings, struct lister *lister,
			   struct error *err)
{
	CLEANUP(freep) struct inventory_reader *reader = calloc(1, sizeof(*reader));
	int rc;

	if (!reader)
		return error_set(err, -ENOMEM, "out of memory");
	reader->server = server;
	reader->settings = settings;
	reader->lister = *lister;
	rc = name_file(reader, err);
	if (rc == 0)
		rc = -pthread_create(&reader->thread, NULL, read_lines, reader);
	if (rc)
		return error_set(err, rc, "cannot start the thread of inventories: %s",
				 strerror(-rc));
	*lister = (struct lister){ -1, -1 };
	*ret = TAKE_PTR(reader);
	return 0;
}

void inventory_reader_stop(struct inventory_reader *reader)
{
	if (!reader)
		return;
	reader->stopping = true;
	closep(&reader->lister.control);
	pthread_join(reader->thread, NULL);
	closep(&reader->lister.lines);
	free(reader);
}
