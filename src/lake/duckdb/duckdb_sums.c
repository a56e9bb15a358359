/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_sums.h"

#include "base/buffer.h"
#include "base/map.h"
#include "lake/duckdb/duckdb_column.h"
#include "lake/duckdb/figures/duckdb_figure_sums.h"
#include "signal/sample_figures.h"

#include <errno.h>
#include <stdlib.h>

#define NS_PER_US   1000
#define PAUSE_US    1000000 /* times of use that are nearer are one (roll_up_samples.sql) */
#define USE_PART    100     /* an execution that uses this part of a CPU, or more, is used */
#define INDEX_LIMIT (4 * DUCKDB_SUMS_MAX)

/* Microseconds since the epoch, as in the tables; 0: no time. */
struct span {
	int64_t since, until;
};

struct execution_sum {
	int64_t execution_key;
	struct duckdb_figure_sums figures;
	struct span used; /* the last time of use */
};

/* A time of use behind which another one began. */
struct earlier_use {
	int64_t execution_key;
	struct span used;
};

struct duckdb_sums {
	bool complete;
	struct map *index;        /* of execution_key: the place in `executions`, from 1 */
	struct buffer executions; /* of struct execution_sum */
	struct buffer earlier;    /* of struct earlier_use */
};

struct duckdb_sums *duckdb_sums_new(void)
{
	struct duckdb_sums *sums = calloc(1, sizeof(*sums));

	if (!sums)
		return NULL;
	buffer_init(&sums->executions, 0);
	buffer_init(&sums->earlier, 0);
	return sums;
}

static void clear(struct duckdb_sums *sums)
{
	map_free(sums->index);
	sums->index = NULL;
	buffer_clear(&sums->executions);
	buffer_clear(&sums->earlier);
	buffer_init(&sums->executions, 0);
	buffer_init(&sums->earlier, 0);
}

void duckdb_sums_free(struct duckdb_sums *sums)
{
	if (!sums)
		return;
	clear(sums);
	free(sums);
}

void duckdb_sums_begin(struct duckdb_sums *sums)
{
	clear(sums);
	sums->complete = true;
}

void duckdb_sums_doubt(struct duckdb_sums *sums)
{
	clear(sums);
	sums->complete = false;
}

bool duckdb_sums_are_complete(const struct duckdb_sums *sums)
{
	return sums->complete;
}

/* Those of the execution; NULL: no memory. */
static struct execution_sum *find(struct duckdb_sums *sums, int64_t execution_key)
{
	struct execution_sum none = { .execution_key = execution_key };
	uintptr_t place;

	if (!sums->index)
		sums->index = map_new(sizeof(execution_key), INDEX_LIMIT);
	if (!sums->index)
		return NULL;
	place = (uintptr_t)map_get(sums->index, &execution_key);
	if (!place) {
		buffer_append(&sums->executions, &none, sizeof(none));
		place = sums->executions.len / sizeof(none);
		if (sums->executions.failed ||
		    map_put(sums->index, &execution_key,
			    (void *)place)) /* NOLINT(performance-no-int-to-ptr) */
			return NULL;
	}
	return (struct execution_sum *)(void *)sums->executions.data + place - 1;
}

static int64_t cut(uint64_t value)
{
	return value > (uint64_t)COLUMN_INTEGER_MAX ? COLUMN_INTEGER_MAX : (int64_t)value;
}

/* As write_time (duckdb_column.c) stores it. */
static int64_t microseconds(int64_t ns)
{
	return ns > 0 ? ns / NS_PER_US : 0;
}

/* Joins the time with the last one, or begins another. */
static void add_use(struct duckdb_sums *sums, struct execution_sum *sum, const struct span *span)
{
	struct span *used = &sum->used;
	const struct earlier_use earlier = { sum->execution_key, *used };

	if (used->until &&
	    (span->since > used->until + PAUSE_US || span->until < used->since - PAUSE_US)) {
		buffer_append(&sums->earlier, &earlier, sizeof(earlier));
		*used = *span;
	} else if (used->until) {
		used->since = span->since < used->since ? span->since : used->since;
		used->until = span->until > used->until ? span->until : used->until;
	} else {
		*used = *span;
	}
}

static bool is_used(const struct span *span, int64_t cpu_ns)
{
	return span->since &&
	       (__int128)cpu_ns * USE_PART >= (__int128)(span->until - span->since) * NS_PER_US;
}

/* Whether the sample says that its execution used its CPU. */
static bool is_of_use(const Signal__Sample *sample, const struct span *span)
{
	struct sample_figures figures;

	sample_figures_read(sample, &figures);
	return span->until && is_used(span, cut(figures.user_ns) + cut(figures.kernel_ns));
}

static bool add_figures(struct execution_sum *sum, const Signal__Sample *sample,
			const struct span *span)
{
	uint8_t bytes[DUCKDB_FIGURES_BYTES];

	return duckdb_figure_sums_add(&sum->figures, duckdb_figures_of_sample(sample, bytes),
				      span->until ? &span->until : NULL);
}

void duckdb_sums_add(struct duckdb_sums *sums, int64_t execution_key, const Signal__Sample *sample)
{
	struct span span = { microseconds(sample->since_at), microseconds(sample->until_at) };
	struct execution_sum *sum = sums->complete ? find(sums, execution_key) : NULL;

	if (sum && is_of_use(sample, &span))
		add_use(sums, sum, &span);
	if (!sum || !add_figures(sum, sample, &span) || sums->earlier.failed)
		duckdb_sums_doubt(sums);
}

bool duckdb_sums_are_many(const struct duckdb_sums *sums)
{
	return sums->executions.len / sizeof(struct execution_sum) >= DUCKDB_SUMS_MAX ||
	       sums->earlier.len / sizeof(struct earlier_use) >= DUCKDB_SUMS_MAX;
}

static void append_time(duckdb_appender appender, int64_t time)
{
	if (time)
		duckdb_append_timestamp(appender, (duckdb_timestamp){ time });
	else
		duckdb_append_null(appender);
}

static bool append_sum(duckdb_appender appender, const struct execution_sum *sum)
{
	uint8_t bytes[DUCKDB_FIGURES_BYTES];
	size_t len = duckdb_figure_sums_pack(&sum->figures, bytes);

	duckdb_append_int64(appender, sum->execution_key);
	append_time(appender, sum->figures.has_time ? sum->figures.until : 0);
	duckdb_append_blob(appender, bytes, len);
	return duckdb_appender_end_row(appender) == DuckDBSuccess;
}

/* span: of use; NULL: of an execution that was sampled, and not used. */
static bool append_use(duckdb_appender appender, int64_t execution_key, const struct span *span)
{
	duckdb_append_int64(appender, execution_key);
	append_time(appender, span ? span->since : 0);
	append_time(appender, span ? span->until : 0);
	duckdb_append_bool(appender, span != NULL);
	return duckdb_appender_end_row(appender) == DuckDBSuccess;
}

static bool append_sums(duckdb_appender appender, const struct duckdb_sums *sums)
{
	const struct execution_sum *list = (const void *)sums->executions.data;
	size_t count = sums->executions.len / sizeof(*list);
	bool good = true;

	for (size_t i = 0; i < count && good; i++)
		good = append_sum(appender, &list[i]);
	return good;
}

static bool append_uses(duckdb_appender appender, const struct duckdb_sums *sums)
{
	const struct execution_sum *list = (const void *)sums->executions.data;
	const struct earlier_use *earlier = (const void *)sums->earlier.data;
	size_t count = sums->executions.len / sizeof(*list);
	size_t earlier_count = sums->earlier.len / sizeof(*earlier);
	bool good = true;

	for (size_t i = 0; i < count && good; i++)
		good = !list[i].figures.has_time ||
		       append_use(appender, list[i].execution_key,
				  list[i].used.until ? &list[i].used : NULL);
	for (size_t i = 0; i < earlier_count && good; i++)
		good = append_use(appender, earlier[i].execution_key, &earlier[i].used);
	return good;
}

static int fill(const struct duckdb_sums *sums, duckdb_connection connection, const char *table,
		bool (*append)(duckdb_appender appender, const struct duckdb_sums *sums),
		struct error *err)
{
	duckdb_appender appender;
	bool good = duckdb_appender_create_ext(connection, "temp", NULL, table, &appender) ==
			    DuckDBSuccess &&
		    append(appender, sums) && duckdb_appender_close(appender) == DuckDBSuccess;
	int rc = good ? 0
		      : error_set(err, -EIO, "the sums over samples are not stored: %s",
				  duckdb_appender_error(appender));

	duckdb_appender_destroy(&appender);
	return rc;
}

int duckdb_sums_write(const struct duckdb_sums *sums, duckdb_connection connection,
		      struct error *err)
{
	int rc = fill(sums, connection, "sums_new", append_sums, err);

	return rc ? rc : fill(sums, connection, "uses_new", append_uses, err);
}
