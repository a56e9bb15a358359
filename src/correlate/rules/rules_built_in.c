/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/rules/rules_private.h"

#include <errno.h>
#include <stdlib.h>

/* Built-in rules, one YAML text a file of rules/. The rules of a later one win. */
#define BUILT_IN(X)   \
	X(programs)   \
	X(engines)    \
	X(reads)      \
	X(variants)   \
	X(expression) \
	X(assembly)   \
	X(sequences)  \
	X(imaging)    \
	X(training)   \
	X(transfer)

#define BUILT_IN_TEXT(file)                      \
	extern const char rules_##file##_yaml[]; \
	extern const size_t rules_##file##_yaml_size;
BUILT_IN(BUILT_IN_TEXT)

#define BUILT_IN_ROW(file) \
	{ "built-in " #file ".yaml", rules_##file##_yaml, &rules_##file##_yaml_size },
static const struct {
	const char *origin, *yaml;
	const size_t *size;
} built_in[] = { BUILT_IN(BUILT_IN_ROW) };

/* No rules at all, with room for as many as there may be; NULL: no memory. */
static struct rules *make(void)
{
	struct rules *rules = calloc(1, sizeof(*rules));

	if (!rules)
		return NULL;
	rules->exact = map_new_of_texts(RULE_ALL_NAMES_LIMIT);
	rules->marks = map_new_of_texts(RULE_NAMES_LIMIT);
	if (!rules->exact || !rules->marks) {
		rules_free(rules);
		return NULL;
	}
	return rules;
}

int rules_new(struct rules **ret, struct error *err)
{
	struct rules *rules = make();
	int rc = 0;

	if (!rules)
		return error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; !rc && i < sizeof(built_in) / sizeof(*built_in); i++)
		rc = rules_add(rules, built_in[i].origin, built_in[i].yaml, *built_in[i].size, err);
	if (rc) {
		rules_free(rules);
		return rc;
	}
	rules->built_in_count = rules->origin_count;
	*ret = rules;
	return 0;
}
