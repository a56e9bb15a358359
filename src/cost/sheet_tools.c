/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/map.h"
#include "cost/share_out.h"
#include "cost/sheet_private.h"

#define FEW 8 /* tools, which are looked for one by one: most tasks have one or two */

/* Of a tool of a task with many; the name is the sheet's one copy. */
static struct map_text_key key_of(size_t task, const char *name)
{
	const uint64_t place[] = { (uintptr_t)name, task };

	return map_text_key((const char *)place, sizeof(place));
}

static struct sheet_tool *find_tool(const struct sheet *sheet, size_t index, const char *name)
{
	const struct sheet_task *task = &sheet->tasks[index];
	struct map_text_key key;
	size_t at;

	if (task->tool_count > FEW) {
		key = key_of(index, name);
		at = (size_t)(uintptr_t)map_get(sheet->tool_index, &key);
		return at ? &sheet->tools[at - 1] : NULL;
	}
	for (size_t i = task->first_tool; i != SIZE_MAX; i = sheet->tools[i].next)
		if (sheet->tools[i].name == name)
			return &sheet->tools[i];
	return NULL;
}

/* The last tool that was added, and with the first one above FEW those before it. */
static int index_tools(struct sheet *sheet, size_t index)
{
	const struct sheet_task *task = &sheet->tasks[index];
	size_t count = task->tool_count <= FEW ? 0 : task->tool_count == FEW + 1 ? FEW + 1 : 1;

	for (size_t i = task->first_tool; count; i = sheet->tools[i].next, count--) {
		struct map_text_key key = key_of(index, sheet->tools[i].name);

		if (map_put(sheet->tool_index, &key, (void *)(uintptr_t)(i + 1)))
			return -ENOMEM;
	}
	return 0;
}

static int add_tool(struct sheet *sheet, size_t index, const char *name, uint64_t cpu_ns)
{
	struct sheet_task *task = &sheet->tasks[index];
	struct sheet_tool *tool = name ? find_tool(sheet, index, name) : NULL;

	if (!name)
		return -ENOMEM;
	if (tool) {
		tool->cpu_ns = sheet_sum(tool->cpu_ns, cpu_ns);
		return 0;
	}
	if (!SHEET_GROW(sheet->tools, sheet->tool_count))
		return -ENOMEM;
	sheet->tools[sheet->tool_count] =
		(struct sheet_tool){ name, sheet_sum(cpu_ns, 0), task->first_tool };
	task->first_tool = sheet->tool_count++;
	task->tool_count++;
	return index_tools(sheet, index);
}

int sheet_add_tools(struct sheet *sheet, size_t task, const char *lines)
{
	int rc = 0;

	for (const char *line = lines; rc == 0 && *line; line += *line == '\n') {
		size_t digits = strspn(line, "0123456789");
		const char *name = line + digits + 1, *end = line + strcspn(line, "\n");
		bool named = end > name;

		if (digits && line[digits] == '\t')
			rc = add_tool(sheet, task,
				      named ? sheet_text(sheet, name, (size_t)(end - name))
					    : sheet_text(sheet, "?", 1),
				      strtoull(line, NULL, 10));
		line = end;
	}
	return rc;
}

static int by_name(const void *a_, const void *b_)
{
	const struct sheet_tool_part *a = a_, *b = b_;

	return strcmp(a->tool->name, b->tool->name);
}

/* In the order of their names: who gets a nano-dollar among equals depends on nothing else. */
static void list_tools(const struct sheet *sheet, const struct sheet_task *task,
		       struct sheet_tool_part *ret)
{
	size_t count = 0;

	for (size_t i = task->first_tool; i != SIZE_MAX; i = sheet->tools[i].next)
		ret[count++] = (struct sheet_tool_part){ .tool = &sheet->tools[i] };
	if (count > 1)
		qsort(ret, count, sizeof(*ret), by_name);
}

int sheet_share_out(const struct sheet *sheet, const struct sheet_entry *entry,
		    struct sheet_tool_part *ret)
{
	const struct sheet_task *task = &sheet->tasks[entry->task];
	size_t count = task->tool_count;
	bool many = count > FEW, any = false;
	unsigned __int128 few_weights[FEW];
	int64_t few_shares[3 * FEW];
	CLEANUP(freep) void *more_weights = many ? calloc(count, sizeof(*few_weights)) : NULL;
	CLEANUP(freep) void *more_shares = many ? calloc(3 * count, sizeof(*few_shares)) : NULL;
	unsigned __int128 *weights = many ? more_weights : few_weights;
	int64_t *shares = many ? more_shares : few_shares;
	int rc;

	if (!weights || !shares)
		return -ENOMEM;
	list_tools(sheet, task, ret);
	for (size_t i = 0; i < count; i++)
		any |= (weights[i] = ret[i].tool->cpu_ns) > 0;
	for (size_t i = 0; !any && i < count; i++)
		weights[i] = 1;
	rc = cost_share_out(entry->part.used_nusd, weights, count, shares);
	rc = rc ? rc : cost_share_out(entry->part.unused_nusd, weights, count, shares + count);
	rc = rc ? rc : cost_share_out(entry->part.idle_nusd, weights, count, shares + 2 * count);
	for (size_t i = 0; rc == 0 && i < count; i++)
		ret[i].part =
			(struct cost_part){ shares[i], shares[count + i], shares[2 * count + i] };
	return rc;
}
