/* SPDX-License-Identifier: Apache-2.0 */
#include "base/config/yaml_tree.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

#define SHOWN_SIZE   65
#define DEPTH_LIMIT  16
#define ANCHOR_LIMIT 256

/* How much of what costs libyaml much a text has. */
struct extent {
	size_t depth, anchors, documents;
};

/* A word of the text, fit to be shown in one line. */
struct shown {
	char text[SHOWN_SIZE];
};

static struct shown show(const char *word)
{
	struct shown shown;
	size_t len = 0;

	for (size_t size; *word; word += size) {
		bool plain;

		size = utf8_sequence(word, strlen(word));
		plain = size && !utf8_is_control(word, size);
		if (len + (plain ? size : 1) >= SHOWN_SIZE)
			break;
		memcpy(shown.text + len, plain ? word : "?", plain ? size : 1);
		len += plain ? size : 1;
		size = size ? size : 1;
	}
	shown.text[len] = '\0';
	return shown;
}

int yaml_tree_fail(struct yaml_tree *tree, const yaml_node_t *node, const char *what,
		   const char *word)
{
	error_set(tree->err, -EINVAL, "%s:%zu:%zu: %s%s", tree->origin, node->start_mark.line + 1,
		  node->start_mark.column + 1, what, show(word).text);
	return -EINVAL;
}

int yaml_tree_unknown(struct yaml_tree *tree, const yaml_node_t *node, const char *what,
		      const char *const *known, size_t count)
{
	const char *word = (const char *)node->data.scalar.value;
	const char *nearest = text_nearest(word, known, count);

	error_set(tree->err, -EINVAL, "%s:%zu:%zu: unknown %s '%s'%s%s%s", tree->origin,
		  node->start_mark.line + 1, node->start_mark.column + 1, what, show(word).text,
		  nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
	return -EINVAL;
}

const yaml_node_t *yaml_tree_node(struct yaml_tree *tree, int index)
{
	return yaml_document_get_node(&tree->document, index);
}

int yaml_tree_text(struct yaml_tree *tree, const yaml_node_t *node, size_t limit, const char **ret)
{
	const char *value = (const char *)node->data.scalar.value;

	if (node->type != YAML_SCALAR_NODE)
		return yaml_tree_fail(tree, node, "expected a text", "");
	if (!*value || node->data.scalar.length != strlen(value))
		return yaml_tree_fail(tree, node,
				      "expected a text that is not empty and holds no NUL", "");
	if (node->data.scalar.length > limit)
		return yaml_tree_fail(tree, node, "too long: ", value);
	*ret = value;
	return 0;
}

static bool has_anchor(const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return event->data.scalar.anchor;
	case YAML_SEQUENCE_START_EVENT:
		return event->data.sequence_start.anchor;
	case YAML_MAPPING_START_EVENT:
		return event->data.mapping_start.anchor;
	default:
		return false;
	}
}

/* Counts what an event adds. Returns what is wrong with it, or NULL. */
static const char *fault_of(const yaml_event_t *event, struct extent *extent)
{
	if (event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT)
		extent->depth++;
	else if (event->type == YAML_SEQUENCE_END_EVENT || event->type == YAML_MAPPING_END_EVENT)
		extent->depth--;
	extent->anchors += has_anchor(event);
	extent->documents += event->type == YAML_DOCUMENT_START_EVENT;
	if (extent->documents > 1)
		return "a second document begins";
	if (extent->depth > DEPTH_LIMIT)
		return "nested too deeply";
	return extent->anchors > ANCHOR_LIMIT ? "more than 256 anchors" : NULL;
}

/* What libyaml would take hours for: its time grows with the square of how deep things are nested
 * and how many have anchors (0.2.5: 60,000 of either take ten seconds). */
static int check_extent(struct yaml_tree *tree, yaml_parser_t *parser)
{
	struct extent extent = { 0 };
	yaml_event_t event;
	bool ended = false;
	int rc = 0;

	while (!rc && !ended && yaml_parser_parse(parser, &event)) {
		const char *fault = fault_of(&event, &extent);

		if (fault)
			rc = error_set(tree->err, -EINVAL, "%s:%zu:%zu: %s", tree->origin,
				       event.start_mark.line + 1, event.start_mark.column + 1,
				       fault);
		ended = event.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
	}
	return rc;
}

static int load(struct yaml_tree *tree, yaml_parser_t *parser)
{
	if (yaml_parser_load(parser, &tree->document))
		return 0;
	return error_set(tree->err, -EINVAL, "%s:%zu:%zu: %s", tree->origin,
			 parser->problem_mark.line + 1, parser->problem_mark.column + 1,
			 parser->problem ? parser->problem : "no YAML");
}

static int read_with(struct yaml_tree *tree, const char *text, size_t len,
		     int (*use)(struct yaml_tree *tree, yaml_parser_t *parser))
{
	yaml_parser_t parser;
	int rc;

	if (!yaml_parser_initialize(&parser))
		return -ENOMEM;
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
	rc = use(tree, &parser);
	yaml_parser_delete(&parser);
	return rc;
}

int yaml_tree_load(struct yaml_tree *tree, const char *text, size_t len)
{
	int rc = read_with(tree, text, len, check_extent);

	return rc ? rc : read_with(tree, text, len, load);
}
