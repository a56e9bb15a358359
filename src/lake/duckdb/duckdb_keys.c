/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_keys.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/map.h"
#include "lake/duckdb/duckdb_engine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One that has no number yet, or got it in this transaction. */
struct wanted {
	struct map_text_key id;
	struct duckdb_execution execution;
	int64_t key; /* 0: none yet */
};

struct duckdb_keys {
	/* Of map_text_key: twice the number; 2 × index + 1 of one that is wanted. */
	struct map *executions;
	size_t most;
	bool partial;                     /* the database has executions that are not in memory */
	int64_t execution, sample, batch; /* the last that were assigned */
	struct buffer wanted;             /* of struct wanted, of the transaction */
	size_t settled; /* so many of them are, by an earlier duckdb_keys_settle */
	/* The host that was wanted last, in this transaction: a batch has one. */
	const char *host_id;
	struct map_text_key host;
};

void duckdb_keys_free(struct duckdb_keys *keys)
{
	if (!keys)
		return;
	map_free(keys->executions);
	buffer_clear(&keys->wanted);
	free(keys);
}

DEFINE_CLEANUP(struct duckdb_keys *, duckdb_keys_free)

static struct wanted *wanted_of(const struct duckdb_keys *keys, size_t *ret_count)
{
	*ret_count = keys->wanted.len / sizeof(struct wanted);
	return (struct wanted *)(void *)keys->wanted.data;
}

static void *number_value(int64_t key)
{
	return (void *)(uintptr_t)(2 * (uint64_t)key); /* NOLINT(performance-no-int-to-ptr) */
}

static void *index_value(size_t index)
{
	return (void *)(uintptr_t)(2 * index + 1); /* NOLINT(performance-no-int-to-ptr) */
}

static struct map_text_key id_of(const struct map_text_key *host,
				 const struct duckdb_execution *execution)
{
	const struct { /* no padding */
		struct map_text_key host;
		uint64_t pid, start_ns, image_seq;
	} id = { *host, execution->pid, execution->start_ns, execution->image_seq };

	return map_text_key((const char *)&id, sizeof(id));
}

static const struct map_text_key *host_of(struct duckdb_keys *keys, const char *host_id)
{
	if (host_id != keys->host_id)
		keys->host = map_text_key(host_id, strlen(host_id));
	keys->host_id = host_id;
	return &keys->host;
}

/* Takes the executions of a chunk: host_id, pid, start_ns, image_seq, execution_key. */
static int take_chunk(struct duckdb_keys *keys, duckdb_data_chunk chunk)
{
	const int64_t *numbers[4];
	duckdb_string_t *hosts = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0));
	int rc = 0;

	for (idx_t i = 0; i < 4; i++)
		numbers[i] = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, i + 1));
	for (idx_t row = 0; row < duckdb_data_chunk_get_size(chunk) && !rc; row++) {
		struct duckdb_execution execution = { .pid = (uint64_t)numbers[0][row],
						      .start_ns = (uint64_t)numbers[1][row],
						      .image_seq = (uint64_t)numbers[2][row] };
		struct map_text_key host = map_text_key(duckdb_string_t_data(&hosts[row]),
							duckdb_string_t_length(hosts[row]));
		struct map_text_key id = id_of(&host, &execution);

		rc = map_put(keys->executions, &id, number_value(numbers[3][row]));
	}
	return rc == -ENOSPC ? 0 : rc;
}

static int take_result(struct duckdb_keys *keys, duckdb_result *result, struct error *err)
{
	duckdb_data_chunk chunk;
	int rc = 0;

	while (!rc && (chunk = duckdb_fetch_chunk(*result))) {
		rc = take_chunk(keys, chunk);
		duckdb_destroy_data_chunk(&chunk);
	}
	return rc ? error_set(err, rc, "no memory for the numbers of executions") : 0;
}

/* Runs a statement that gives host_id, pid, start_ns, image_seq, execution_key. */
static int take(struct duckdb_keys *keys, duckdb_connection connection, const char *sql,
		struct error *err)
{
	duckdb_result result;
	int rc;

	if (duckdb_query(connection, sql, &result) == DuckDBError)
		rc = error_set(err, duckdb_errno(duckdb_result_error_type(&result)),
			       "the numbers of executions: %s", duckdb_result_error(&result));
	else
		rc = take_result(keys, &result, err);
	duckdb_destroy_result(&result);
	return rc;
}

static int64_t first_number(duckdb_connection connection, const char *sql)
{
	duckdb_result result;
	int64_t number = 0;

	if (duckdb_query(connection, sql, &result) == DuckDBSuccess && duckdb_row_count(&result))
		number = duckdb_value_int64(&result, 0, 0);
	duckdb_destroy_result(&result);
	return number;
}

/* Reads the latest half of what memory may hold. */
static int load(struct duckdb_keys *keys, duckdb_connection connection, struct error *err)
{
	int64_t after = keys->execution - (int64_t)(keys->most / 2);
	struct map *executions = map_new_of_texts(2 * keys->most);
	char sql[160];

	if (!executions)
		return error_set(err, -ENOMEM, "no memory for the numbers of executions");
	map_free(keys->executions);
	keys->executions = executions;
	keys->partial = after > 0; /* first: after an error, too, executions are missing */
	(void)snprintf(sql, sizeof(sql),
		       "SELECT host_id, pid, start_ns, image_seq, execution_key "
		       "FROM execution_keys WHERE execution_key > %" PRId64,
		       after);
	return take(keys, connection, sql, err);
}

int duckdb_keys_open(struct duckdb_keys **ret, duckdb_connection connection, size_t most,
		     struct error *err)
{
	CLEANUP(duckdb_keys_freep) struct duckdb_keys *keys = calloc(1, sizeof(*keys));
	int rc;

	if (!keys)
		return error_set(err, -ENOMEM, "no memory for the numbers of executions");
	keys->most = most ? most : DUCKDB_KEYS_MAX;
	buffer_init(&keys->wanted, 0);
	keys->execution = first_number(
		connection, "SELECT coalesce(max(execution_key), 0) FROM execution_keys");
	keys->sample =
		first_number(connection, "SELECT coalesce(max(sample_key), 0) FROM samples_packed");
	keys->batch = first_number(connection, "SELECT coalesce(max(batch_key), 0) FROM ledger");
	rc = load(keys, connection, err);
	if (!rc)
		*ret = TAKE_PTR(keys);
	return rc;
}

int64_t duckdb_keys_batch(struct duckdb_keys *keys)
{
	return ++keys->batch;
}

int64_t duckdb_keys_sample(struct duckdb_keys *keys)
{
	return ++keys->sample;
}

int64_t duckdb_keys_last_sample(const struct duckdb_keys *keys)
{
	return keys->sample;
}

int duckdb_keys_want(struct duckdb_keys *keys, const struct duckdb_execution *execution,
		     int64_t *ret)
{
	struct wanted wanted = { .id = id_of(host_of(keys, execution->host_id), execution),
				 .execution = *execution };
	uintptr_t known = (uintptr_t)map_get(keys->executions, &wanted.id);
	size_t index;
	int rc;

	*ret = known & 1 ? -(int64_t)(known / 2) - 1 : (int64_t)(known / 2);
	if (known)
		return 0;
	(void)wanted_of(keys, &index);
	*ret = -(int64_t)index - 1;
	rc = map_put(keys->executions, &wanted.id, index_value(index));
	if (!rc)
		buffer_append(&keys->wanted, &wanted, sizeof(wanted));
	return keys->wanted.failed ? -ENOMEM : rc;
}

/* Appends the executions that are wanted since the last duckdb_keys_settle, or only those that got
 * a number now. */
static int append(struct duckdb_keys *keys, duckdb_connection connection, const char *catalog,
		  const char *table, bool all, struct error *err)
{
	duckdb_appender appender;
	size_t count;
	const struct wanted *wanted = wanted_of(keys, &count);
	bool failed = duckdb_appender_create_ext(connection, catalog, NULL, table, &appender) ==
		      DuckDBError;

	for (size_t i = keys->settled; i < count && !failed; i++) {
		const struct duckdb_execution *execution = &wanted[i].execution;

		if (!all && !wanted[i].key)
			continue;
		duckdb_append_int64(appender, wanted[i].key);
		duckdb_append_varchar(appender, execution->host_id);
		duckdb_append_int64(appender, (int64_t)execution->pid);
		duckdb_append_int64(appender, (int64_t)execution->start_ns);
		duckdb_append_int64(appender, (int64_t)execution->image_seq);
		failed = duckdb_appender_end_row(appender) == DuckDBError;
	}
	if (failed || duckdb_appender_close(appender) == DuckDBError)
		failed = error_set(err, -EIO, "the numbers of executions are not stored: %s",
				   duckdb_appender_error(appender));
	duckdb_appender_destroy(&appender);
	return failed ? -EIO : 0;
}

/* Looks in the database for the executions that are wanted. */
static int look_up(struct duckdb_keys *keys, duckdb_connection connection, struct error *err)
{
	int rc = append(keys, connection, "temp", "sought_executions", true, err);

	if (!rc)
		rc = take(keys, connection,
			  "SELECT host_id, pid, start_ns, image_seq, k.execution_key "
			  "FROM execution_keys AS k SEMI JOIN sought_executions "
			  "USING (host_id, pid, start_ns, image_seq)",
			  err);
	return rc ? rc
		  : duckdb_run(connection, "TRUNCATE sought_executions",
			       "the numbers of executions", err);
}

static bool is_index(const void *value)
{
	return (uintptr_t)value & 1;
}

int duckdb_keys_settle(struct duckdb_keys *keys, duckdb_connection connection, struct error *err)
{
	size_t count, assigned = 0;
	struct wanted *wanted = wanted_of(keys, &count);
	int rc = count > keys->settled && keys->partial ? look_up(keys, connection, err) : 0;

	for (size_t i = keys->settled; i < count && !rc; i++) {
		if (!is_index(map_get(keys->executions, &wanted[i].id)))
			continue;
		wanted[i].key = ++keys->execution;
		assigned++;
		/* It replaces a value: no memory is needed. */
		(void)map_put(keys->executions, &wanted[i].id, number_value(wanted[i].key));
	}
	if (!rc && assigned)
		rc = append(keys, connection, NULL, "execution_keys", false, err);
	keys->settled = count;
	return rc;
}

int64_t duckdb_keys_number(struct duckdb_keys *keys, int64_t wanted)
{
	size_t count;
	const struct wanted *list = wanted_of(keys, &count);

	if (wanted >= 0)
		return wanted;
	return (int64_t)((uintptr_t)map_get(keys->executions, &list[-wanted - 1].id) / 2);
}

void duckdb_keys_commit(struct duckdb_keys *keys, duckdb_connection connection)
{
	struct error err = { "" };

	buffer_reset(&keys->wanted);
	keys->settled = 0;
	keys->host_id = NULL;
	if (map_count(keys->executions) > keys->most && load(keys, connection, &err))
		log_warning("%s: they are read from the database", error_text(&err));
}

/* Numbers that were found in the database stay known. */
void duckdb_keys_rollback(struct duckdb_keys *keys)
{
	size_t count;
	const struct wanted *wanted = wanted_of(keys, &count);

	for (size_t i = 0; i < count; i++)
		if (wanted[i].key || is_index(map_get(keys->executions, &wanted[i].id)))
			(void)map_remove(keys->executions, &wanted[i].id);
	buffer_reset(&keys->wanted);
	keys->settled = 0;
	keys->host_id = NULL;
}
