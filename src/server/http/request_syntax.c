/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/request_syntax.h"

#include <ctype.h>
#include <microhttpd.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#define LINE_END 2 /* CR LF */

struct head {
	uintptr_t next; /* where the next line must begin */
	size_t lengths, encodings, hosts;
	bool is_chunked;
	const char *fault;
};

/* RFC 9110, 5.6.2 */
static bool is_token(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)name[i]) && !strchr("!#$%&'*+-.^_`|~", name[i]))
			return false;
	}
	return len > 0;
}

static bool has_control(const char *value, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (((unsigned char)value[i] < 0x20 && value[i] != '\t') || value[i] == 0x7f)
			return true;
	}
	return false;
}

static void count(struct head *head, const char *name, const char *value)
{
	head->hosts += !strcasecmp(name, "Host");
	head->lengths += !strcasecmp(name, "Content-Length");
	if (!strcasecmp(name, "Transfer-Encoding")) {
		head->encodings++;
		head->is_chunked = !strcasecmp(value, "chunked");
	}
}

static enum MHD_Result take_line(void *context, enum MHD_ValueKind kind, const char *name,
				 size_t name_len, const char *value, size_t value_len)
{
	struct head *head = context;

	if (!is_token(name, name_len)) {
		head->fault = "a header's name may hold no blank and no sign but !#$%&'*+-.^_`|~";
		return MHD_NO;
	}
	if (!value || has_control(value, value_len)) {
		head->fault = "a header's value may hold no control character";
		return MHD_NO;
	}
	/* Of an empty value the library may give a text of its own. */
	if ((uintptr_t)name != head->next || (uintptr_t)value <= (uintptr_t)name + name_len) {
		head->fault = "each line must end in CR LF, hold no NUL, and begin with no blank";
		return MHD_NO;
	}
	head->next = (uintptr_t)value + value_len + LINE_END;
	count(head, name, value);
	return MHD_YES;
}

static const char *fault_of_body(const struct head *head)
{
	if (head->hosts > 1)
		return "a request has one Host";
	if (head->lengths > 1)
		return "a request has one Content-Length";
	if (head->lengths && head->encodings)
		return "a request has a Content-Length or a Transfer-Encoding, not both";
	if (head->encodings > 1 || (head->encodings && !head->is_chunked))
		return "the only Transfer-Encoding here is chunked";
	return NULL;
}

const char *request_syntax_fault(const struct request_line *line, struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
	const char *uri = line->method + strlen(line->method) + 1;
	struct head head = { .next = (uintptr_t)line->version + strlen(line->version) + LINE_END };

	if (line->uri != uri || line->version != uri + line->uri_len + 1)
		return "a request line has one blank between its parts, and no NUL";
	MHD_get_connection_values_n(connection, MHD_HEADER_KIND, take_line, &head);
	if (head.fault)
		return head.fault;
	if (info && info->header_size != head.next + LINE_END - (uintptr_t)line->method)
		return "each line must end in CR LF and hold no NUL";
	return fault_of_body(&head);
}
