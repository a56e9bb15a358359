/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/policy/exemption.h"

#include <errno.h>
#include <fnmatch.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "sweep/sweep.h"

NO_LEAK_ANALYSIS

/* The keys of an item, and where its text goes; a label or tag has a second one. */
static const struct key {
	const char *name;
	size_t offset, second;
	bool by_design; /* also of idle_by_design */
} keys[] = {
#define AT(noun) offsetof(struct sweep_exemption, noun)
	{ "host", AT(host), 0, true },
	{ "tag", AT(tag), AT(tag_value), true },
	{ "kind", AT(kind), 0, false },
	{ "user", AT(user), 0, false },
	{ "label", AT(label), AT(label_value), false },
	{ "pipeline", AT(pipeline), 0, false },
	{ "path", AT(path), 0, false },
#undef AT
};

#define KEYS           (sizeof(keys) / sizeof(keys[0]))
#define BY_DESIGN_KEYS 2
#define KINDS_LIMIT    64

static char **field(struct sweep_exemption *exemption, size_t offset)
{
	return (char **)(void *)((char *)exemption + offset);
}

static int read_pattern(struct yaml_tree *tree, const yaml_node_t *node, char **ret)
{
	const char *text, *star;
	size_t stars = 0;
	int rc = yaml_tree_text(tree, node, SWEEP_POLICY_TEXT, &text);

	if (rc)
		return rc;
	for (star = strchr(text, '*'); star; star = strchr(star + 1, '*'))
		stars++;
	if (stars > SWEEP_POLICY_STARS)
		return yaml_tree_fail(tree, node, "a pattern has 8 '*' at most: ", text);
	if (!utf8_is_plain(text, strlen(text)))
		return yaml_tree_fail(tree, node, "control characters, or no UTF-8: ", text);
	*ret = strdup(text);
	return *ret ? 0 : -ENOMEM;
}

/* Cuts KEY:PATTERN in two. */
static int split(struct yaml_tree *tree, const yaml_node_t *node, char **key, char **value)
{
	char *colon = *key ? strchr(*key, ':') : NULL;

	if (!colon || colon == *key || !colon[1])
		return yaml_tree_fail(tree, node, "expected KEY:PATTERN, as in project:x*, not ",
				      *key);
	*value = strdup(colon + 1);
	*colon = '\0';
	return *value ? 0 : -ENOMEM;
}

/* Refuses a pattern that fits no kind: an exemption that exempts nothing is a typing error. */
static int check_kind(struct yaml_tree *tree, const yaml_node_t *node, const char *pattern)
{
	const char *kinds[KINDS_LIMIT];
	size_t count = 0;

	while (count < KINDS_LIMIT && waste_kind(count)) {
		if (fnmatch(pattern, waste_kind(count), 0) == 0)
			return 0;
		kinds[count] = waste_kind(count);
		count++;
	}
	return yaml_tree_unknown(tree, node, "kind", kinds, count);
}

static int read_pair(struct yaml_tree *tree, const yaml_node_pair_t *pair, size_t known,
		     struct sweep_exemption *ret)
{
	const yaml_node_t *name = yaml_tree_node(tree, pair->key);
	const yaml_node_t *value = yaml_tree_node(tree, pair->value);
	const char *names[KEYS], *word;
	int rc = yaml_tree_text(tree, name, SWEEP_POLICY_TEXT, &word);

	for (size_t i = 0; rc == 0 && i < known; i++) {
		char **text = field(ret, keys[i].offset);

		names[i] = keys[i].name;
		if (strcmp(word, keys[i].name) != 0)
			continue;
		if (*text)
			return yaml_tree_fail(tree, name, "given twice: ", word);
		rc = read_pattern(tree, value, text);
		if (rc == 0 && keys[i].second)
			rc = split(tree, value, text, field(ret, keys[i].second));
		if (rc == 0 && text == &ret->kind)
			rc = check_kind(tree, value, *text);
		return rc;
	}
	return rc ? rc : yaml_tree_unknown(tree, name, "key", names, known);
}

int sweep_exemption_read(struct yaml_tree *tree, const yaml_node_t *node, bool by_design,
			 struct sweep_exemption *ret)
{
	int rc = 0;

	if (node->type != YAML_MAPPING_NODE)
		return yaml_tree_fail(tree, node, "expected 'key: pattern' lines", "");
	if (node->data.mapping.pairs.start == node->data.mapping.pairs.top)
		return yaml_tree_fail(tree, node, "an item names nothing, and would fit anything",
				      "");
	for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	     rc == 0 && pair < node->data.mapping.pairs.top; pair++)
		rc = read_pair(tree, pair, by_design ? BY_DESIGN_KEYS : KEYS, ret);
	return rc;
}

static bool fits(const char *pattern, const char *text)
{
	return !pattern || (text && *text && fnmatch(pattern, text, 0) == 0);
}

static bool path_fits(const char *pattern, const char *path)
{
	return !pattern || (path && *path && fnmatch(pattern, path, FNM_LEADING_DIR) == 0);
}

static bool value_fits(const char *key, const char *pattern, const char *object)
{
	json_t *values;
	bool fit;

	if (!key)
		return true;
	values = object ? json_loads(object, 0, NULL) : NULL;
	fit = values && fits(pattern, json_string_value(json_object_get(values, key)));
	json_decref(values);
	return fit;
}

bool sweep_exemption_fits(const struct sweep_exemption *exemption,
			  const struct sweep_concerns *concerns)
{
	return fits(exemption->kind, concerns->kind) && fits(exemption->user, concerns->user) &&
	       fits(exemption->host, concerns->hostname) &&
	       fits(exemption->pipeline, concerns->pipeline) &&
	       path_fits(exemption->path, concerns->path) &&
	       value_fits(exemption->label, exemption->label_value, concerns->labels) &&
	       value_fits(exemption->tag, exemption->tag_value, concerns->tags);
}

void sweep_exemption_clear(struct sweep_exemption *exemption)
{
	for (size_t i = 0; i < KEYS; i++) {
		free(*field(exemption, keys[i].offset));
		if (keys[i].second)
			free(*field(exemption, keys[i].second));
	}
}
