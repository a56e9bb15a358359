/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/duckdb_machine_price.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The parameters: texts of the machine, two numbers, a text. */
enum { HOSTNAME, PROVIDER, REGION, TYPE, PURCHASE, CONFIGURED, LISTED, LIST, PARAMS };

#define TEXT_SIZE 256 /* of one text of a machine; with longer ones none has a price */

static bool is_number(size_t param)
{
	return param == CONFIGURED || param == LISTED;
}

static void copy_text(char ret[TEXT_SIZE], duckdb_string_t *text)
{
	uint32_t len = duckdb_string_t_length(*text);

	ret[0] = '\0';
	if (len < TEXT_SIZE) {
		memcpy(ret, duckdb_string_t_data(text), len);
		ret[len] = '\0';
	}
}

static void look_up(const struct machine_prices *prices, const struct machine *machine,
		    struct machine_price *ret)
{
	*ret = (struct machine_price){ .usd_hour = 0 };
	if (prices->price) {
		prices->price(prices->context, machine, ret);
		return;
	}
	ret->usd_hour = machine->configured_usd_hour;
	if (ret->usd_hour > 0)
		snprintf(ret->source, sizeof(ret->source), "configured");
}

static void machine_price(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector output)
{
	const struct machine_prices *prices = duckdb_scalar_function_get_extra_info(info);
	double *usd_hour = duckdb_vector_get_data(duckdb_struct_vector_get_child(output, 0));
	duckdb_vector source = duckdb_struct_vector_get_child(output, 1);
	void *columns[PARAMS];

	for (idx_t i = 0; i < PARAMS; i++)
		columns[i] = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, i));
	for (idx_t row = 0; row < duckdb_data_chunk_get_size(chunk); row++) {
		char texts[PARAMS][TEXT_SIZE];
		struct machine_price price;

		for (size_t i = 0; i < PARAMS; i++)
			if (!is_number(i))
				copy_text(texts[i], &((duckdb_string_t *)columns[i])[row]);
		look_up(prices,
			&(struct machine){
				.hostname = texts[HOSTNAME],
				.provider = texts[PROVIDER],
				.region = texts[REGION],
				.instance_type = texts[TYPE],
				.purchase = texts[PURCHASE],
				.configured_usd_hour = ((const double *)columns[CONFIGURED])[row],
				.listed_usd_hour = ((const double *)columns[LISTED])[row],
				.list = texts[LIST],
			},
			&price);
		usd_hour[row] = price.usd_hour;
		duckdb_vector_assign_string_element(source, row, price.source);
	}
}

static duckdb_logical_type result_type(void)
{
	const char *names[] = { "usd_hour", "source" };
	duckdb_logical_type types[] = { duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE),
					duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR) };
	duckdb_logical_type type = duckdb_create_struct_type(types, names, 2);

	duckdb_destroy_logical_type(&types[0]);
	duckdb_destroy_logical_type(&types[1]);
	return type;
}

int duckdb_machine_price_register(duckdb_connection connection, const struct machine_prices *prices,
				  struct error *err)
{
	duckdb_scalar_function function = duckdb_create_scalar_function();
	duckdb_logical_type gives = result_type();
	duckdb_state state;

	duckdb_scalar_function_set_name(function, "machine_price");
	for (size_t i = 0; i < PARAMS; i++) {
		duckdb_logical_type type = duckdb_create_logical_type(
			is_number(i) ? DUCKDB_TYPE_DOUBLE : DUCKDB_TYPE_VARCHAR);

		duckdb_scalar_function_add_parameter(function, type);
		duckdb_destroy_logical_type(&type);
	}
	duckdb_scalar_function_set_return_type(function, gives);
	duckdb_scalar_function_set_volatile(function); /* lists change */
	duckdb_scalar_function_set_extra_info(function, (void *)(uintptr_t)prices, NULL);
	duckdb_scalar_function_set_function(function, machine_price);
	state = duckdb_register_scalar_function(connection, function);
	duckdb_destroy_logical_type(&gives);
	duckdb_destroy_scalar_function(&function);
	return state == DuckDBError ? error_set(err, -ENOMEM, "no memory to open the store") : 0;
}
