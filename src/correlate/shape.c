#include "correlate/shape.h"

#include "correlate/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned levels[] = {
	[RULE_TOOL] = 0,        [RULE_HELPER] = 1, [RULE_LAUNCHER] = 2,
	[RULE_INTERPRETER] = 1, [RULE_SHELL] = 2,
};

static int compare(const struct shape_tool *a, const struct shape_tool *b)
{
	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return a->image_seq < b->image_seq ? -1 : a->image_seq > b->image_seq;
}

static void tool_clear(struct shape_tool *tool)
{
	free(tool->name);
	free(tool->program);
}

static void remove_at(struct shape *shape, size_t at)
{
	tool_clear(&shape->tools[at]);
	shape->count--;
	memmove(&shape->tools[at], &shape->tools[at + 1],
		(shape->count - at) * sizeof(*shape->tools));
}

/* Where a tool of this name stands; count: nowhere. */
static size_t find(const struct shape *shape, const char *name)
{
	size_t i = 0;

	while (i < shape->count && strcmp(shape->tools[i].name, name) != 0)
		i++;
	return i;
}

/* Makes room where a tool belongs. */
static struct shape_tool *insert(struct shape *shape, const struct shape_tool *tool)
{
	size_t at = shape->count++;

	while (at > 0 && compare(tool, &shape->tools[at - 1]) < 0) {
		shape->tools[at] = shape->tools[at - 1];
		at--;
	}
	shape->tools[at] = *tool;
	return &shape->tools[at];
}

bool shape_add(struct shape *shape, uint64_t start_ns, uint64_t image_seq,
	       const struct command *command, const char *name)
{
	struct shape_tool tool = { .start_ns = start_ns,
				   .image_seq = image_seq,
				   .level = command->rule ? levels[command->rule->kind] : 0 };
	size_t at = find(shape, name);
	struct shape_tool *added;

	if (!*name || (at < shape->count && compare(&tool, &shape->tools[at]) >= 0))
		return false;
	if (at < shape->count)
		remove_at(shape, at);
	if (shape->count == SHAPE_TOOL_LIMIT) {
		bool first = !shape->more;

		shape->more = true;
		if (compare(&tool, &shape->tools[shape->count - 1]) > 0)
			return first;
		remove_at(shape, shape->count - 1);
	}
	added = insert(shape, &tool);
	added->name = strdup(name);
	added->program = strdup(command->subject);
	if (!added->name || !added->program)
		remove_at(shape, (size_t)(added - shape->tools));
	return true;
}

void shape_clear(struct shape *shape)
{
	while (shape->count > 0)
		tool_clear(&shape->tools[--shape->count]);
}

/* Appends a piece, or " …" once it no longer fits. false: full. */
static bool append(char label[SHAPE_LABEL_SIZE], const char *separator, const char *name)
{
	static const char ellipsis[] = " …";
	size_t len = strlen(label), room = SHAPE_LABEL_SIZE - len;

	if (strlen(separator) + strlen(name) + sizeof(ellipsis) > room) {
		snprintf(label + len, room, "%s", ellipsis);
		return false;
	}
	snprintf(label + len, room, "%s%s", separator, name);
	return true;
}

char *shape_label(const struct shape *shape, const char *shell_text, char label[SHAPE_LABEL_SIZE])
{
	struct shell_text text;
	size_t before = SIZE_MAX, from = 0;
	bool fits = true;

	label[0] = '\0';
	shell_read(&text, shell_text);
	for (size_t i = 0; fits && i < shape->count; i++) {
		const struct shape_tool *tool = &shape->tools[i];
		size_t at = shell_find(&text, tool->program, from);

		if (tool->level != shape->tools[0].level)
			break;
		fits = append(label,
			      i == 0                           ? ""
			      : shell_piped(&text, before, at) ? " | "
							       : ", ",
			      tool->name);
		before = at;
		if (at < text.command_count)
			from = at + 1;
	}
	if (fits && shape->more)
		append(label, "", " …");
	return label;
}
