/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

#include <cmocka.h>

#include "server/http/route.h"

/* docs/openapi.yaml beside the table of routes, in both directions. */

static yaml_document_t document;

static int load(void **state)
{
	FILE *file = fopen(TESTS_DIR "/../docs/openapi.yaml", "r");
	yaml_parser_t parser;
	int loaded;

	assert_non_null(file);
	yaml_parser_initialize(&parser);
	yaml_parser_set_input_file(&parser, file);
	loaded = yaml_parser_load(&parser, &document);
	yaml_parser_delete(&parser);
	fclose(file);
	return !loaded;
}

static int unload(void **state)
{
	yaml_document_delete(&document);
	return 0;
}

static const char *text(const yaml_node_t *node)
{
	return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

static yaml_node_t *node(int index)
{
	return yaml_document_get_node(&document, index);
}

/* The member of a mapping, or NULL. */
static yaml_node_t *member(const yaml_node_t *mapping, const char *key)
{
	if (!mapping || mapping->type != YAML_MAPPING_NODE)
		return NULL;
	for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
	     pair < mapping->data.mapping.pairs.top; pair++)
		if (strcmp(text(node(pair->key)), key) == 0)
			return node(pair->value);
	return NULL;
}

/* "#/components/parameters/cursor" */
static yaml_node_t *resolve(yaml_node_t *parameter)
{
	const char *reference = text(member(parameter, "$ref"));
	yaml_node_t *root = yaml_document_get_root_node(&document);

	if (!*reference)
		return parameter;
	return member(member(member(root, "components"), "parameters"),
		      strrchr(reference, '/') + 1);
}

static yaml_node_t *operation_of(const struct route *route)
{
	yaml_node_t *root = yaml_document_get_root_node(&document);
	yaml_node_t *path = member(member(root, "paths"), route->pattern);
	char method[8] = "";

	for (size_t i = 0; route->method[i] && i < sizeof(method) - 1; i++)
		method[i] = (char)tolower(route->method[i]);
	return member(path, method);
}

static const char *default_of(yaml_node_t *parameter)
{
	return text(member(member(parameter, "schema"), "default"));
}

static size_t count_of(const struct filter *filters)
{
	size_t count = 0;

	while (filters[count].name)
		count++;
	return count;
}

static void check_parameter(const struct route *route, yaml_node_t *parameter)
{
	const char *name = text(member(parameter, "name"));
	const struct filter *filter = route->filters;

	while (filter->name && strcmp(filter->name, name) != 0)
		filter++;
	if (!filter->name)
		fail_msg("%s takes no %s", route->pattern, name);
	assert_string_equal(text(member(parameter, "in")), "query");
	assert_string_equal(text(member(parameter, "description")), filter->help);
	assert_string_equal(default_of(parameter), filter->fallback ? filter->fallback : "");
}

static void every_route_is_described_with_its_scope_and_parameters(void **state)
{
	static const char *const SCOPES[] = { "none", "read", "ingest", "tell", "admin" };

	for (size_t i = 0; i < ROUTES_COUNT; i++) {
		yaml_node_t *operation = operation_of(&ROUTES[i]);
		yaml_node_t *parameters = member(operation, "parameters");
		size_t count = 0;

		if (!operation)
			fail_msg("%s %s is not described", ROUTES[i].method, ROUTES[i].pattern);
		assert_string_equal(text(member(operation, "x-scope")), SCOPES[ROUTES[i].scope]);
		if (parameters)
			count = (size_t)(parameters->data.sequence.items.top -
					 parameters->data.sequence.items.start);
		if (count != count_of(ROUTES[i].filters))
			fail_msg("%s takes %zu parameters, and %zu are described",
				 ROUTES[i].pattern, count_of(ROUTES[i].filters), count);
		for (size_t k = 0; k < count; k++)
			check_parameter(&ROUTES[i],
					resolve(node(parameters->data.sequence.items.start[k])));
	}
}

static bool is_routed(const char *path, const char *method)
{
	for (size_t i = 0; i < ROUTES_COUNT; i++)
		if (strcmp(ROUTES[i].pattern, path) == 0 &&
		    strcasecmp(ROUTES[i].method, method) == 0)
			return true;
	return false;
}

static void everything_described_is_a_route(void **state)
{
	yaml_node_t *paths = member(yaml_document_get_root_node(&document), "paths");
	size_t count = 0;

	for (yaml_node_pair_t *path = paths->data.mapping.pairs.start;
	     path < paths->data.mapping.pairs.top; path++) {
		yaml_node_t *methods = node(path->value);

		for (yaml_node_pair_t *pair = methods->data.mapping.pairs.start;
		     pair < methods->data.mapping.pairs.top; pair++) {
			const char *method = text(node(pair->key));

			if (strcmp(method, "parameters") == 0)
				continue;
			if (!is_routed(text(node(path->key)), method))
				fail_msg("%s %s is described and no route", method,
					 text(node(path->key)));
			count++;
		}
	}
	assert_int_equal(count, ROUTES_COUNT);
}

static void no_route_has_more_filters_than_a_request_holds(void **state)
{
	for (size_t i = 0; i < ROUTES_COUNT; i++)
		assert_true(count_of(ROUTES[i].filters) <= FILTERS_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_route_is_described_with_its_scope_and_parameters),
		cmocka_unit_test(everything_described_is_a_route),
		cmocka_unit_test(no_route_has_more_filters_than_a_request_holds),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
