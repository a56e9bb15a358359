/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "collect/runtime/grpc_call.h"

struct event_base;

/*
 * A gRPC client of a unix socket, on the loop. Each call has a connection of its own: they are few,
 * and a server that was started again is just the next one. One call at a time. The process has to
 * ignore SIGPIPE.
 */
struct grpc_client;

struct grpc_answer {
	int error; /* 0 or -errno: -ECONNREFUSED -ENOENT -ETIMEDOUT -ECONNRESET -EPROTO -EFBIG … */
	int status;          /* gRPC's, where error is 0 */
	const void *message; /* where status is GRPC_OK; valid during the call of done */
	size_t len;
	struct error words; /* where error is set */
};

typedef void grpc_done(const struct grpc_answer *answer, void *context);

/* base is not owned. -EINVAL with words: the path is none; -ENOMEM. */
int grpc_client_new(struct grpc_client **ret, struct event_base *base, const char *socket,
		    struct error *err);
/* A call under way is dropped, its done not called. NULL is fine. */
void grpc_client_free(struct grpc_client *client);
/* Starts a call, which ends after request's timeout at the latest; done is called once, later, from
 * the loop, and may call again or free the client. -EBUSY: one is under way; -ENOMEM. */
int grpc_client_call(struct grpc_client *client, const struct grpc_request *request,
		     grpc_done *done, void *context);
