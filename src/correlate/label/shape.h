/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "correlate/model/exec_view.h"

/*
 * The tools of a task, which name its step where no engine does. The same images in any order of
 * arrival give the same label: first the tools in the task's shell text (plan.h), in the order of
 * the text, whether or not they ran yet; then others in the order of their processes. Each tool is
 * named once, and helpers only where there is nothing else.
 */
#define SHAPE_TOOL_LIMIT 24
#define SHAPE_LABEL_SIZE 201 /* bytes with the NUL; a longer label ends in " …" */

struct shape_tool {
	unsigned planned; /* its position in the text, from 1; 0: it is not in the text */
	uint64_t start_ns, image_seq; /* of the first process that ran it */
	unsigned level;               /* 0: a tool; 1: a helper; 2: a shell or launcher */
	uint32_t pipes[2];            /* that it reads from and writes to; 0: none */
	char *name;
	char *program; /* its name in a shell's text; behind the name in one allocation */
};

struct shape {
	struct shape_tool *tools; /* sorted by level, position in the text, time */
	size_t count, capacity;
	unsigned planned; /* number of tools from the text */
	bool more;        /* some did not fit */
};

struct plan_tool;

/* Adds a tool of the text, before any image; false: nothing changed. */
bool shape_plan(struct shape *shape, const struct plan_tool *tool);
/* Adds an image; false: nothing changed. */
bool shape_add(struct shape *shape, const struct exec_view *exec);
/* Moves all tools of another shape into this one. */
void shape_take(struct shape *shape, struct shape *other);
void shape_clear(struct shape *shape);
/* "bwa mem | samtools sort, samtools index": '|' between tools that a pipe connects, by the shell's
 * text (may be "") or as the kernel saw it. Returns label; "" when nothing was added. */
char *shape_label(const struct shape *shape, const char *shell_text, char label[SHAPE_LABEL_SIZE]);
