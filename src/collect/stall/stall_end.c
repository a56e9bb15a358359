/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stall/stall_end.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "collect/stall/stall_holder.h"
#include "collect/stall/stall_socket.h"
#include "collect/stall/stall_wait.h"
#include "collect/process/process_table.h"
#include "signal/redact/redact.h"

#define ANY_RIGHT (S_IRUSR | S_IWUSR)

struct look {
	struct process_table *processes;
	const struct process *process;
	const struct stall_wait *wait;
	const char *target;
	size_t *left;
	struct tcp_table tcp;
	struct stall_end *end;
	bool found; /* at an earlier descriptor */
};

/* true: what was looked for is found. */
static bool at_file(struct look *look)
{
	char path[256];

	(void)snprintf(look->end->text, sizeof(look->end->text), ", of %.200s",
		       redact_copy(look->target, path, sizeof(path)));
	return true;
}

/* At the other end of a pipe is who has it open for what this one has not. */
static bool at_pipe(struct look *look)
{
	uint32_t pid = look->process->key.pid;
	mode_t own = stall_rights(pid, look->wait->fd);
	mode_t wanted = own == S_IRUSR ? S_IWUSR : own == S_IWUSR ? S_IRUSR : ANY_RIGHT;
	char name[128];

	if (look->found || !stall_holder(look->processes, look->process, look->target, wanted,
					 look->left, name, sizeof(name)))
		return false;
	look->end->words = own == S_IWUSR ? "a pipe to take something" : "a pipe to give something";
	(void)snprintf(look->end->text, sizeof(look->end->text), ", the other end is held by %s",
		       name);
	return true;
}

static bool has_peer(struct look *look, const struct stall_socket *socket)
{
	char target[64], name[128];

	(void)snprintf(target, sizeof(target), "socket:[%" PRIu64 "]", socket->peer);
	if (!socket->peer || !stall_holder(look->processes, look->process, target, ANY_RIGHT,
					   look->left, name, sizeof(name)))
		return false;
	(void)snprintf(look->end->text, sizeof(look->end->text),
		       socket->accepted ? ", the other end is held by %s"
					: ", and %s has not accepted its connection",
		       name);
	return true;
}

static bool at_socket(struct look *look)
{
	uint64_t inode = strtoull(look->target + strlen("socket:["), NULL, 10);
	struct stall_socket socket;

	if (!stall_socket_find(&look->tcp, inode, &socket))
		return false;
	look->end->by_design |= socket.serves;
	/* Of what is only open beside a poll a UNIX socket says nothing: logs and buses are such.
	 */
	if (socket.serves || look->found || (look->wait->call == STALL_POLL && !socket.tcp))
		return false;
	look->end->words = "the network";
	if (has_peer(look, &socket))
		return true;
	if (*socket.remote)
		(void)snprintf(look->end->text, sizeof(look->end->text), ", the other end is at %s",
			       socket.remote);
	return *socket.remote;
}

static const struct {
	const char *prefix;
	enum stall_on on[2]; /* the kinds of waits for one descriptor that this row explains */
	bool (*at)(struct look *look);
} ends[] = {
	{ "pipe:[", { STALL_ON_PIPE, STALL_ON_PIPE }, at_pipe },
	{ "socket:[", { STALL_ON_SOCKET, STALL_ON_SOCKET }, at_socket },
	{ "/", { STALL_ON_FILE, STALL_ON_PIPE /* a FIFO */ }, at_file },
};

/* Of a wait of the kind that is asked for. */
static bool at_end(struct look *look, enum stall_on on)
{
	bool polls = look->wait->call != STALL_CALL;

	if (polls != (on == STALL_ON_POLL))
		return false;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (text_starts_with(look->target, ends[i].prefix) &&
		    (polls ? ends[i].at != at_file : on == ends[i].on[0] || on == ends[i].on[1]))
			return ends[i].at(look);
	return false;
}

void stall_end_find(struct process_table *processes, const struct process *process,
		    enum stall_on on, size_t *left, struct stall_end *ret)
{
	char target[256];
	struct stall_waits waits;
	struct stall_end end = { 0 };
	struct look look = { .processes = processes,
			     .process = process,
			     .target = target,
			     .left = left,
			     .tcp = { .pid = process->key.pid, .left = left },
			     .end = &end };

	*ret = end;
	stall_waits_read(process->key.pid, left, &waits);
	for (size_t i = 0; i < waits.count && !end.by_design; i++) {
		look.wait = &waits.list[i];
		if (!stall_target(process->key.pid, look.wait->fd, target, sizeof(target)) ||
		    !at_end(&look, on) || look.found)
			continue;
		look.found = true;
		*ret = end;
	}
	tcp_table_clear(&look.tcp);
	if (on == STALL_ON_POLL && !*left)
		ret->words = NULL; /* a server may show in what was not looked at */
	ret->by_design = end.by_design || (on == STALL_ON_POLL && waits.polls && *left &&
					   (waits.more || !look.found));
}
