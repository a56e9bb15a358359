/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "correlate/model/exec_view.h"

/*
 * Which tools a task ran: what its step is called by where no engine names it. The same images in
 * any order of arrival give the same label: first the tools that the task's text plans (plan.h), in
 * the order of the text and whether or not they ran yet, then others in the order in which their
 * processes were made; each once, those that only help left out unless nothing else is there.
 */
#define SHAPE_TOOL_LIMIT 24
#define SHAPE_LABEL_SIZE 201 /* bytes with the NUL; a longer label ends in " …" */

struct shape_tool {
	unsigned planned;             /* its place in the text, from 1; 0: the text lacks it */
	uint64_t start_ns, image_seq; /* of the first process that ran it */
	unsigned level;               /* 0: a tool; 1: a helper; 2: a shell or launcher */
	uint32_t pipes[2];            /* that it reads from and writes to; 0: none */
	char *name;
	char *program; /* as a shell's text would name it; behind the name in one allocation */
};

struct shape {
	struct shape_tool *tools; /* sorted by level, place in the text, time */
	size_t count, capacity;
	unsigned planned; /* tools that were */
	bool more;        /* some were left out */
};

struct plan_tool;

/* Adds a tool that the text plans, before any image; false: nothing changed. */
bool shape_plan(struct shape *shape, const struct plan_tool *tool);
/* Adds an image; false: nothing changed. */
bool shape_add(struct shape *shape, const struct exec_view *exec);
/* Adds all of another, which is empty then. */
void shape_take(struct shape *shape, struct shape *other);
void shape_clear(struct shape *shape);
/* "bwa mem | samtools sort, samtools index": '|' where the shell's text (may be "") or the pipes
 * themselves say so. Returns label; "" when nothing was added. */
char *shape_label(const struct shape *shape, const char *shell_text, char label[SHAPE_LABEL_SIZE]);
