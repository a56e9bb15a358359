/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/rules/rule_yaml.h"

#include "base/text.h"
#include "correlate/command/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_SIZE   65
#define DEPTH_LIMIT  16
#define ANCHOR_LIMIT 256

/* How much of what costs libyaml much a text has. */
struct extent {
	size_t depth, anchors;
};

/* A word of the text, fit to be shown in one line. */
struct shown {
	char text[SHOWN_SIZE];
};

static struct shown show(const char *word)
{
	struct shown shown;

	name_copy(word, strlen(word), shown.text, sizeof(shown.text));
	return shown;
}

int rule_yaml_fail(struct rule_yaml *yaml, const yaml_node_t *node, const char *what,
		   const char *word)
{
	error_set(yaml->err, -EINVAL, "%s:%zu:%zu: %s%s", yaml->origin, node->start_mark.line + 1,
		  node->start_mark.column + 1, what, show(word).text);
	return -EINVAL;
}

int rule_yaml_unknown(struct rule_yaml *yaml, const yaml_node_t *node, const char *what,
		      const char *const *known, size_t count)
{
	const char *word = (const char *)node->data.scalar.value;
	const char *nearest = text_nearest(word, known, count);

	error_set(yaml->err, -EINVAL, "%s:%zu:%zu: unknown %s '%s'%s%s%s", yaml->origin,
		  node->start_mark.line + 1, node->start_mark.column + 1, what, show(word).text,
		  nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
	return -EINVAL;
}

const yaml_node_t *rule_yaml_node(struct rule_yaml *yaml, int index)
{
	return yaml_document_get_node(&yaml->document, index);
}

int rule_yaml_text(struct rule_yaml *yaml, const yaml_node_t *node, size_t limit, char **ret)
{
	const char *value = (const char *)node->data.scalar.value;

	if (node->type != YAML_SCALAR_NODE)
		return rule_yaml_fail(yaml, node, "expected a text", "");
	if (!*value || node->data.scalar.length != strlen(value))
		return rule_yaml_fail(yaml, node,
				      "expected a text that is not empty and holds no NUL", "");
	if (node->data.scalar.length > limit)
		return rule_yaml_fail(yaml, node, "too long: ", value);
	if (*ret)
		return rule_yaml_fail(yaml, node, "given twice: ", value);
	return rule_text_set(ret, value);
}

int rule_yaml_list(struct rule_yaml *yaml, const yaml_node_t *node, size_t limit,
		   struct rule_list *ret)
{
	size_t count = 1;
	int rc = 0;

	if (ret->texts)
		return rule_yaml_fail(yaml, node, "given twice", "");
	if (node->type == YAML_SEQUENCE_NODE)
		count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
	if (count == 0 || count > RULE_LIST_LIMIT)
		return rule_yaml_fail(yaml, node, "expected 1 to 256 texts", "");
	ret->texts = calloc(count, sizeof(*ret->texts));
	if (!ret->texts)
		return -ENOMEM;
	for (size_t i = 0; !rc && i < count; i++) {
		const yaml_node_t *item = node;

		if (node->type == YAML_SEQUENCE_NODE)
			item = rule_yaml_node(yaml, node->data.sequence.items.start[i]);
		rc = rule_yaml_text(yaml, item, limit, &ret->texts[ret->count]);
		if (!rc)
			ret->count++;
	}
	return rc;
}

int rule_yaml_answer(struct rule_yaml *yaml, const yaml_node_t *node, enum rule_answer *ret)
{
	const char *value = (const char *)node->data.scalar.value;

	if (node->type != YAML_SCALAR_NODE ||
	    (strcmp(value, "true") != 0 && strcmp(value, "false") != 0))
		return rule_yaml_fail(yaml, node, "expected true or false", "");
	*ret = *value == 't' ? ANSWER_YES : ANSWER_NO;
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
	if (extent->depth > DEPTH_LIMIT)
		return "nested deeper than rules are";
	return extent->anchors > ANCHOR_LIMIT ? "more than 256 anchors" : NULL;
}

/* What libyaml would take hours for: its time grows with the square of how deep things are nested
 * and how many have anchors (0.2.5: 60,000 of either take ten seconds). */
static int check_extent(struct rule_yaml *yaml, yaml_parser_t *parser)
{
	struct extent extent = { 0 };
	yaml_event_t event;
	bool ended = false;
	int rc = 0;

	while (!rc && !ended && yaml_parser_parse(parser, &event)) {
		const char *fault = fault_of(&event, &extent);

		if (fault)
			rc = error_set(yaml->err, -EINVAL, "%s:%zu:%zu: %s", yaml->origin,
				       event.start_mark.line + 1, event.start_mark.column + 1,
				       fault);
		ended = event.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
	}
	return rc;
}

static int load(struct rule_yaml *yaml, yaml_parser_t *parser)
{
	if (yaml_parser_load(parser, &yaml->document))
		return 0;
	return error_set(yaml->err, -EINVAL, "%s:%zu:%zu: %s", yaml->origin,
			 parser->problem_mark.line + 1, parser->problem_mark.column + 1,
			 parser->problem ? parser->problem : "no YAML");
}

static int read_with(struct rule_yaml *yaml, const char *text, size_t len,
		     int (*use)(struct rule_yaml *yaml, yaml_parser_t *parser))
{
	yaml_parser_t parser;
	int rc;

	if (!yaml_parser_initialize(&parser))
		return -ENOMEM;
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
	rc = use(yaml, &parser);
	yaml_parser_delete(&parser);
	return rc;
}

int rule_yaml_load(struct rule_yaml *yaml, const char *text, size_t len)
{
	int rc = read_with(yaml, text, len, check_extent);

	return rc ? rc : read_with(yaml, text, len, load);
}
