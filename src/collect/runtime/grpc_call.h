/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

struct buffer;

/*
 * One unary gRPC call over HTTP/2 as bytes out and bytes in, without a socket
 * (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md). Pure: nghttp2 frames them.
 */
struct grpc_call;

#define GRPC_OVERHEAD (64u << 10) /* bytes a server may send besides the message */

enum grpc_status { /* of those that gRPC has, the ones that mean something here */
		   GRPC_OK = 0,
		   GRPC_DEADLINE_EXCEEDED = 4,
		   GRPC_NOT_FOUND = 5,
		   GRPC_UNAVAILABLE = 14,
};

struct grpc_request {
	const char *path;      /* "/package.Service/Method" */
	const char *namespace; /* containerd's, a header; NULL: none */
	const void *message;
	size_t len;
	unsigned timeout_s; /* sent to the server */
	size_t limit;       /* bytes of the answer's message */
};

/* request is copied. -ENOMEM. */
int grpc_call_new(struct grpc_call **ret, const struct grpc_request *request);
void grpc_call_free(struct grpc_call *call); /* NULL is fine */
/* Appends what is to be sent now: at first and after each feed that returned 0. -EPROTO: what came
 * was no HTTP/2, or its last. */
int grpc_call_output(struct grpc_call *call, struct buffer *ret);
/* What the server sent. 0: there is more to come; 1: the call is over, as grpc_call_status says;
 * -EPROTO: it is no gRPC, or breaks off; -EFBIG: more than the limits. */
int grpc_call_feed(struct grpc_call *call, const void *bytes, size_t len);
/* After 1: an enum grpc_status or another of gRPC's. GRPC_OK: *ret, *ret_len are the message, the
 * call's. */
int grpc_call_status(const struct grpc_call *call, const void **ret, size_t *ret_len);
