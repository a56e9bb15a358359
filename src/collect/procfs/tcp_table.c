/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/procfs/tcp_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "collect/procfs/fields.h"

#define TIME_WAITS 6 /* TCP_TIME_WAIT of net/tcp_states.h */

/* "0100007F:1F90": words of 32 bits as they lie in memory, in hex. */
static bool read_endpoint(const char *word, struct tcp_endpoint *ret)
{
	size_t len = strcspn(word, ":");

	if (word[len] != ':' || (len != 8 && len != 32))
		return false;
	*ret = (struct tcp_endpoint){ .address = { [10] = 0xff, [11] = 0xff } };
	for (size_t i = 0; i < len; i += 8) {
		char digits[9] = "";
		uint32_t part;

		memcpy(digits, word + i, 8);
		part = (uint32_t)strtoul(digits, NULL, 16);
		memcpy(ret->address + (len == 8 ? 12 : i / 2), &part, 4);
	}
	ret->port = (uint16_t)strtoul(word + len + 1, NULL, 16);
	return true;
}

/* sl local_address rem_address st queues timer retrnsmt uid timeout inode … (proc(5)). */
static bool read_line(const char *text, struct tcp_line *ret)
{
	char local[48], remote[48], state[8];

	if (!fields_skip(&text, 1) || !fields_word(&text, local, sizeof(local)) ||
	    !fields_word(&text, remote, sizeof(remote)) ||
	    !fields_word(&text, state, sizeof(state)) || !read_endpoint(local, &ret->local) ||
	    !read_endpoint(remote, &ret->remote))
		return false;
	ret->state = strtoul(state, NULL, 16);
	return fields_skip(&text, 5) && fields_u64(&text, &ret->inode);
}

/* Those that are gone wait for late packets: of no process any more, and often most of the table.
 */
static bool add(struct tcp_table *table, const struct tcp_line *line)
{
	struct tcp_line *more;

	if (line->state == TIME_WAITS)
		return true;
	if (table->count == table->room) {
		size_t room = table->room ? 2 * table->room : 64;

		more = realloc(table->lines, room * sizeof(*more));
		if (!more)
			return false;
		table->lines = more;
		table->room = room;
	}
	table->lines[table->count++] = *line;
	return true;
}

/* The tables, once: a process may poll for many. */
static void read_all(struct tcp_table *table)
{
	if (table->read)
		return;
	table->read = true;
	for (const char *const *name = (const char *const[]){ "tcp", "tcp6", NULL }; *name;
	     name++) {
		char path[64], text[512];
		CLEANUP(fclosep) FILE *file = NULL;
		struct tcp_line line;

		(void)snprintf(path, sizeof(path), "/proc/%" PRIu32 "/net/%s", table->pid, *name);
		file = fopen(path, "re");
		for (; file && *table->left && fgets(text, sizeof(text), file); --*table->left)
			if (read_line(text, &line) && !add(table, &line))
				return;
	}
}

void tcp_table_visit(struct tcp_table *table, void (*visit)(const struct tcp_line *, void *),
		     void *context)
{
	read_all(table);
	for (size_t i = 0; i < table->count; i++)
		visit(&table->lines[i], context);
}

void tcp_table_clear(struct tcp_table *table)
{
	free(table->lines);
	*table = (struct tcp_table){ 0 };
}
