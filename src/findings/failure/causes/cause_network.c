/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "findings/failure/cause.h"

/* A name that was not resolved, a connection that was not made. */

#define SHORTLY_NS (5 * NS_PER_S) /* before its end: what failed then may be the reason */
#define DNS_PORT   53

/* Exit codes by which programs say so: curl(1), wget(1), getent(1). */
static const struct {
	const char *tool;
	int code;
	bool resolving;
	bool exact; /* the code says nothing else */
} codes[] = {
	{ "curl", 6, true, true },    { "curl", 7, false, true },   { "curl", 28, false, false },
	{ "curl", 35, false, false }, { "curl", 52, false, true },  { "curl", 56, false, true },
	{ "wget", 4, false, false },  { "getent", 2, true, false },
};

/* The host of the first argument that is a URL; "" if none is. */
static void host_of_url(const struct tree_process *process, char *ret, size_t size)
{
	*ret = '\0';
	for (size_t i = 1; i < process->argc && !*ret; i++) {
		const char *begin = strstr(process->argv[i], "://");
		size_t len;

		if (!begin)
			continue;
		begin += 3;
		len = strcspn(begin, "/?#");
		if (memchr(begin, '@', len)) {
			const char *host = (const char *)memchr(begin, '@', len) + 1;

			len -= (size_t)(host - begin);
			begin = host;
		}
		text_cut(begin, len, ret, size);
	}
}

static bool find_code(const struct failure_case *failure, bool resolving, struct cause *ret)
{
	const struct tree_process *culprit = case_process(failure, failure->culprit);

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		if (codes[i].resolving != resolving || culprit->exit_code != codes[i].code ||
		    strcmp(codes[i].tool, culprit->tool) != 0)
			continue;
		host_of_url(culprit, ret->address, sizeof(ret->address));
		if (!codes[i].exact && ret->confidence > CONFIDENCE_MEDIUM)
			ret->confidence = CONFIDENCE_MEDIUM;
		return true;
	}
	return false;
}

/* The last attempt of the culprit, or of what it started. */
static const struct failure_event *find_event(const struct failure_case *failure)
{
	const struct tree_process *culprit = case_process(failure, failure->culprit);
	const struct failure_event *event =
		case_event(failure, failure->culprit, EVENT_CONNECT_FAILED);

	if (!event)
		event = case_event_near(failure, EVENT_CONNECT_FAILED);
	return event && culprit->ended_at - event->at <= SHORTLY_NS ? event : NULL;
}

static bool is_failed(const struct failure_case *failure)
{
	const struct tree_process *culprit = case_process(failure, failure->culprit);

	return culprit && culprit->status == PROCESS_FAILED;
}

/* "127.0.0.53:53/udp", "[::1]:53" */
static bool is_name_server(const char *address)
{
	const char *port = strrchr(address, ':');

	return port && strtol(port + 1, NULL, 10) == DNS_PORT;
}

static bool find_name(const struct failure_case *failure, struct cause *ret)
{
	const struct failure_event *event;

	if (!is_failed(failure))
		return false;
	if (find_code(failure, true, ret))
		return true;
	event = find_event(failure);
	if (!event || !is_name_server(event->path))
		return false;
	host_of_url(case_process(failure, failure->culprit), ret->address, sizeof(ret->address));
	ret->event = event;
	if (ret->confidence > CONFIDENCE_MEDIUM)
		ret->confidence = CONFIDENCE_MEDIUM;
	return true;
}

static bool find_connection(const struct failure_case *failure, struct cause *ret)
{
	bool by_code;

	if (!is_failed(failure))
		return false;
	by_code = find_code(failure, false, ret);
	ret->event = find_event(failure);
	if (!ret->event)
		return by_code;
	ret->at = ret->event->at;
	ret->number = ret->event->code;
	(void)snprintf(ret->address, sizeof(ret->address), "%s", ret->event->path);
	if (!by_code && ret->confidence > CONFIDENCE_MEDIUM)
		ret->confidence = CONFIDENCE_MEDIUM;
	return true;
}

static void tell_end(const struct failure_case *failure, const struct cause *cause,
		     struct buffer *out)
{
	buffer_printf(out, ", and ended with exit code %d",
		      case_process(failure, failure->culprit)->exit_code);
	words_after(out, failure, failure->culprit);
	buffer_append_char(out, '.');
}

static void tell_name(const struct failure_case *failure, const struct cause *cause,
		      struct buffer *out)
{
	if (*cause->address)
		buffer_printf(out, " could not find the address of the host %.200s",
			      cause->address);
	else
		buffer_append_text(out, " could not find the address of a host");
	tell_end(failure, cause, out);
	if (cause->event)
		buffer_printf(out, " The name server %.100s could not be reached.",
			      cause->event->path);
}

static void tell_connection(const struct failure_case *failure, const struct cause *cause,
			    struct buffer *out)
{
	char text[24];

	buffer_append_text(out, " got no connection");
	if (*cause->address)
		buffer_printf(out, " to %.200s", cause->address);
	if (cause->number)
		buffer_printf(out, " (%s)", words_errno(cause->number, text));
	else if (cause->event && *cause->event->detail)
		buffer_printf(out, " (%.60s)", cause->event->detail);
	tell_end(failure, cause, out);
}

static void headline_name(const struct failure_case *failure, const struct cause *cause,
			  struct buffer *out)
{
	buffer_printf(out, ": host name %.80s%snot resolved", cause->address,
		      *cause->address ? " " : "");
}

static void headline_connection(const struct failure_case *failure, const struct cause *cause,
				struct buffer *out)
{
	buffer_printf(out, ": no connection%s%.80s", *cause->address ? " to " : "", cause->address);
}

static void evidence(const struct failure_case *failure, const struct cause *cause,
		     struct json *json)
{
	char text[24];

	evidence_text(json, "address", cause->address);
	if (cause->number)
		evidence_text(json, "errno", name_errno(cause->number, text));
	json_key(json, "exit_code");
	json_i64(json, case_process(failure, failure->culprit)->exit_code);
}

static void advise(const struct failure_case *failure, const struct cause *cause,
		   struct buffer *out)
{
	buffer_append_text(out,
			   "Check the address, and whether this host (or the task's container) "
			   "may reach it: proxy, firewall, name server. If it fails only now "
			   "and then, let the step be tried again.");
}

const struct cause_kind cause_name_not_resolved = {
	.name = "name_not_resolved",
	.find = find_name,
	.tell = tell_name,
	.headline = headline_name,
	.evidence = evidence,
	.advise = advise,
	.shared = SHARED_ADDRESS,
};

const struct cause_kind cause_connection_failed = {
	.name = "connection_failed",
	.find = find_connection,
	.tell = tell_connection,
	.headline = headline_connection,
	.evidence = evidence,
	.advise = advise,
	.shared = SHARED_ADDRESS,
};
