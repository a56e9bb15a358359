/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_store.h"

#include "base/text.h"

#include "lake/duckdb/duckdb_engine.h"
#include "lake/duckdb/figures/duckdb_functions.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Every field of every message gets a value of its own, and is found again under its name. */

static duckdb_connection connection;

static void *at(void *message, size_t offset)
{
	return (char *)message + offset;
}

/* A field's value: its number in the message, so that no two are alike. */
static void fill_field(void *message, const ProtobufCFieldDescriptor *field, unsigned number)
{
	static char names[64][32];
	void *value = at(message, field->offset);

	switch (field->type) {
	case PROTOBUF_C_TYPE_STRING:
		snprintf(names[number], sizeof(names[number]), "text %u", number);
		*(char **)value = names[number];
		break;
	case PROTOBUF_C_TYPE_UINT32:
	case PROTOBUF_C_TYPE_INT32:
		*(uint32_t *)value = number;
		break;
	case PROTOBUF_C_TYPE_DOUBLE:
		*(double *)value = number + 0.5;
		break;
	case PROTOBUF_C_TYPE_BOOL:
		*(protobuf_c_boolean *)value = 1;
		break;
	default: /* 64 bits; as an instant: whole microseconds after T0 */
		*(uint64_t *)value = number * UINT64_C(1000);
		if (text_ends_with(field->name, "_at"))
			*(uint64_t *)value += T0;
		break;
	}
}

static void fill(ProtobufCMessage *message, unsigned first)
{
	const ProtobufCMessageDescriptor *kind = message->descriptor;

	for (unsigned i = 0; i < kind->n_fields; i++)
		if (kind->fields[i].type != PROTOBUF_C_TYPE_MESSAGE &&
		    kind->fields[i].label != PROTOBUF_C_LABEL_REPEATED)
			fill_field(message, &kind->fields[i], first + i);
}

/* The value as DuckDB should print it. */
static void expected_text(const ProtobufCFieldDescriptor *field, unsigned number, char text[64])
{
	if (field->type == PROTOBUF_C_TYPE_STRING)
		snprintf(text, 64, "text %u", number);
	else if (field->type == PROTOBUF_C_TYPE_DOUBLE)
		snprintf(text, 64, "%u.5", number);
	else if (field->type == PROTOBUF_C_TYPE_BOOL)
		snprintf(text, 64, "true");
	else if (field->type == PROTOBUF_C_TYPE_UINT32 || field->type == PROTOBUF_C_TYPE_INT32)
		snprintf(text, 64, "%u", number);
	else if (text_ends_with(field->name, "_at"))
		snprintf(text, 64, "2026-01-01 00:00:00.%06u", number);
	else
		snprintf(text, 64, "%u000", number);
}

static void check_field(const char *table, const ProtobufCFieldDescriptor *field, unsigned number)
{
	char sql[256], expected[64], *found;
	duckdb_result result;

	/* The fraction of an instant without its trailing zeros is DuckDB's way. */
	snprintf(sql, sizeof(sql),
		 strstr(field->name, "_at")
			 ? "SELECT strftime(\"%s\", '%%Y-%%m-%%d %%H:%%M:%%S.%%f') FROM %s"
			 : "SELECT \"%s\"::VARCHAR FROM %s",
		 field->name, table);
	if (duckdb_query(connection, sql, &result) == DuckDBError)
		fail_msg("%s: %s", sql, duckdb_result_error(&result));
	assert_int_equal(duckdb_row_count(&result), 1);
	found = duckdb_value_varchar(&result, 0, 0);
	expected_text(field, number, expected);
	if (!found || strcmp(found, expected))
		fail_msg("%s.%s is '%s', was '%s'", table, field->name, found ? found : "NULL",
			 expected);
	duckdb_free(found);
	duckdb_destroy_result(&result);
}

/* A sample belongs to the run and the task of its execution, whatever it says. */
static bool is_of_its_execution(const char *table, const char *field)
{
	return !strcmp(table, "samples") && (!strcmp(field, "run_id") || !strcmp(field, "task_id"));
}

static void check_message(const char *table, const ProtobufCMessageDescriptor *kind, unsigned first)
{
	for (unsigned i = 0; i < kind->n_fields; i++)
		if (kind->fields[i].type != PROTOBUF_C_TYPE_MESSAGE &&
		    kind->fields[i].label != PROTOBUF_C_LABEL_REPEATED &&
		    !is_of_its_execution(table, kind->fields[i].name))
			check_field(table, &kind->fields[i], first + i);
}

#define FIGURES_FIRST 40 /* their numbers, apart from those of the message around them */

static void add_one(struct made *made, const ProtobufCFieldDescriptor *list)
{
	ProtobufCMessage *record = made_add(made, list->name);
	const ProtobufCFieldDescriptor *figures =
		protobuf_c_message_descriptor_get_field_by_name(list->descriptor, "figures");

	fill(record, 1);
	if (figures)
		fill((ProtobufCMessage *)made_figures(at(record, figures->offset)), FIGURES_FIRST);
}

static void check_one(const ProtobufCFieldDescriptor *list)
{
	check_message(list->name, list->descriptor, 1);
	if (protobuf_c_message_descriptor_get_field_by_name(list->descriptor, "figures"))
		check_message(list->name, &signal__figures__descriptor, FIGURES_FIRST);
}

/* Comes last: with the little memory that this host has no peak would be believed. */
static bool is_hosts(const ProtobufCFieldDescriptor *list)
{
	return list->descriptor == &signal__host__descriptor;
}

static void every_field_is_found_again_under_its_name(void **state)
{
	const ProtobufCMessageDescriptor *batch = &signal__batch__descriptor;
	duckdb_database database;
	struct lake lake;
	struct made made;

	lake_make(&lake);
	made_init(&made, 1);
	for (unsigned i = 0; i < batch->n_fields; i++)
		if (batch->fields[i].label == PROTOBUF_C_LABEL_REPEATED &&
		    !is_hosts(&batch->fields[i]))
			add_one(&made, &batch->fields[i]);
	lake_store(&lake, &made);
	made_init(&made, 2);
	for (unsigned i = 0; i < batch->n_fields; i++)
		if (is_hosts(&batch->fields[i]))
			add_one(&made, &batch->fields[i]);
	lake_store(&lake, &made);
	lake_close(&lake);
	assert_int_equal(duckdb_open(lake.path, &database), DuckDBSuccess);
	assert_int_equal(duckdb_connect(database, &connection), DuckDBSuccess);
	assert_int_equal(duckdb_functions_register(connection, NULL), 0);
	for (unsigned i = 0; i < batch->n_fields; i++)
		if (batch->fields[i].label == PROTOBUF_C_LABEL_REPEATED)
			check_one(&batch->fields[i]);
	duckdb_disconnect(&connection);
	duckdb_close(&database);
	lake_remove(&lake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_is_found_again_under_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
