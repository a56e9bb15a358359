/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct MHD_Connection;

/*
 * What libmicrohttpd 0.9.75 lets through, and RFC 9112 says a server must or may refuse: two
 * servers in a row that read such a request differently see two different requests. The library
 * parses the head in place, so that each part of it lies where its own bytes were received: a part
 * that lies elsewhere, or a head that is longer or shorter than its parts with one CR LF behind
 * each line, held a bare LF, a NUL, a folded line or blanks before a colon. (A NUL in the place of
 * a CR is taken for it: the library overwrites both.)
 */
struct request_line {
	const char *method, *uri, *version; /* as the library passes them, not copies */
	size_t uri_len;                     /* before the library cut the query off */
};

/* NULL: the request's head is well formed. Else what is wrong with it, in words for the client. */
const char *request_syntax_fault(const struct request_line *line,
				 struct MHD_Connection *connection);
