/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/label/shape.h"

#include "base/text.h"
#include "correlate/command/plan.h"
#include "correlate/command/shell.h"

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
	if (a->planned != b->planned) /* 0 is the last */
		return a->planned - 1 < b->planned - 1 ? -1 : 1;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return a->image_seq < b->image_seq ? -1 : a->image_seq > b->image_seq;
}

static void tool_clear(struct shape_tool *tool)
{
	free(tool->name);
}

static void remove_at(struct shape *shape, size_t at)
{
	tool_clear(&shape->tools[at]);
	shape->count--;
	memmove(&shape->tools[at], &shape->tools[at + 1],
		(shape->count - at) * sizeof(*shape->tools));
}

/* The index of the tool of this name; count: there is none. */
static size_t find(const struct shape *shape, const char *name)
{
	size_t i = 0;

	while (i < shape->count && strcmp(shape->tools[i].name, name) != 0)
		i++;
	return i;
}

/* Most tasks have few tools. */
static bool grow(struct shape *shape)
{
	size_t capacity = shape->capacity ? 2 * shape->capacity : 3;
	struct shape_tool *tools = realloc(shape->tools, capacity * sizeof(*tools));

	if (!tools)
		return false;
	shape->tools = tools;
	shape->capacity = capacity;
	return true;
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

/* The planned tool that an image is: by its name, or by what it was called as, where that is a link
 * to a program of another name (awk, which is mawk). NULL: none. */
static struct shape_tool *find_planned(struct shape *shape, const struct shape_tool *tool,
				       const char *called)
{
	bool is_link = strcmp(tool->program, called) != 0;

	for (size_t i = 0; i < shape->count; i++) {
		struct shape_tool *planned = &shape->tools[i];

		if (planned->planned && planned->level <= tool->level &&
		    (strcmp(planned->name, tool->name) == 0 ||
		     (is_link && strcmp(planned->program, called) == 0)))
			return planned;
	}
	return NULL;
}

/* A tool that was planned has run: it stays where it is. */
static bool take_planned(struct shape_tool *planned, const struct shape_tool *tool)
{
	bool first = tool->start_ns < planned->start_ns;

	if (first) {
		planned->start_ns = tool->start_ns;
		planned->image_seq = tool->image_seq;
		memcpy(planned->pipes, tool->pipes, sizeof(planned->pipes));
	}
	return first && (tool->pipes[0] || tool->pipes[1]);
}

/* Adds a tool; its texts belong to the shape then. false: nothing changed. */
static bool take(struct shape *shape, struct shape_tool *tool, const char *called)
{
	struct shape_tool *planned = find_planned(shape, tool, called);
	size_t at = find(shape, tool->name);

	if (planned) {
		bool changed = take_planned(planned, tool);

		tool_clear(tool);
		return changed;
	}
	if (at < shape->count && compare(tool, &shape->tools[at]) >= 0) {
		tool_clear(tool);
		return false;
	}
	if (at < shape->count)
		remove_at(shape, at);
	if (shape->count == SHAPE_TOOL_LIMIT) {
		bool first = !shape->more;

		shape->more = true;
		if (compare(tool, &shape->tools[shape->count - 1]) > 0) {
			tool_clear(tool);
			return first;
		}
		remove_at(shape, shape->count - 1);
	}
	if (shape->count == shape->capacity && !grow(shape)) {
		tool_clear(tool);
		return false;
	}
	insert(shape, tool);
	return true;
}

/* name and subject are its texts. */
static bool add(struct shape *shape, struct shape_tool *tool, const char *name, const char *subject,
		const char *called)
{
	size_t name_size = strlen(name) + 1, program_size = strlen(subject) + 1;

	if (!*name)
		return false;
	tool->name = malloc(name_size + program_size);
	if (!tool->name)
		return false;
	tool->program = tool->name + name_size;
	memcpy(tool->name, name, name_size);
	memcpy(tool->program, subject, program_size);
	return take(shape, tool, called);
}

static unsigned level_of(const struct command *command)
{
	return command->rule ? levels[command->rule->kind] : 0;
}

bool shape_plan(struct shape *shape, const struct plan_tool *plan)
{
	struct shape_tool tool = { .planned = ++shape->planned,
				   .start_ns = UINT64_MAX,
				   .level = level_of(plan->command) };

	return add(shape, &tool, plan->name, plan->command->subject, "");
}

bool shape_add(struct shape *shape, const struct exec_view *exec)
{
	const struct tree_image *image = exec->image;
	struct shape_tool tool = { .start_ns = image->start_ns,
				   .image_seq = image->image_seq,
				   .level = level_of(exec->command),
				   .pipes = { image->pipes[0], image->pipes[1] } };

	return add(shape, &tool, exec->name, exec->command->subject,
		   image->argc > 0 ? text_basename(image->argv[0]) : "");
}

void shape_take(struct shape *shape, struct shape *other)
{
	for (size_t i = 0; i < other->count; i++)
		(void)take(shape, &other->tools[i], "");
	shape->more |= other->more;
	other->count = 0;
}

void shape_clear(struct shape *shape)
{
	while (shape->count > 0)
		tool_clear(&shape->tools[--shape->count]);
	free(shape->tools);
	*shape = (struct shape){ 0 };
}

/* Whether it reads what the other wrote, as the kernel saw it. */
static bool reads_from(const struct shape_tool *tool, const struct shape_tool *other)
{
	return other && tool->pipes[0] && tool->pipes[0] == other->pipes[1];
}

/* Appends a piece, or " …" once it no longer fits. false: full. */
static bool append(char label[SHAPE_LABEL_SIZE], const char *separator, const char *name)
{
	static const char ellipsis[] = " …";
	size_t len = strlen(label), separator_len = strlen(separator), name_len = strlen(name);

	if (len + separator_len + name_len + sizeof(ellipsis) > SHAPE_LABEL_SIZE) {
		memcpy(label + len, ellipsis, sizeof(ellipsis));
		return false;
	}
	memcpy(label + len, separator, separator_len + 1);
	memcpy(label + len + separator_len, name, name_len + 1);
	return true;
}

/* Whether more than one of its tools names it. */
static bool has_several(const struct shape *shape)
{
	return shape->count > 1 && shape->tools[1].level == shape->tools[0].level;
}

char *shape_label(const struct shape *shape, const char *shell_text, char label[SHAPE_LABEL_SIZE])
{
	struct shell_text text;
	size_t before = SIZE_MAX, from = 0;
	bool fits = true;

	label[0] = '\0';
	shell_read(&text, has_several(shape) ? shell_text : "");
	for (size_t i = 0; fits && i < shape->count; i++) {
		const struct shape_tool *tool = &shape->tools[i];
		size_t at = shell_find(&text, tool->program, from);

		if (tool->level != shape->tools[0].level)
			break;
		fits = append(label,
			      i == 0 ? ""
			      : shell_piped(&text, before, at) ||
					      reads_from(tool, &shape->tools[i - 1])
				      ? " | "
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
