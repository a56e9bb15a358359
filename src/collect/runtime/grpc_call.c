/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/runtime/grpc_call.h"

#include <errno.h>
#include <nghttp2/nghttp2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"

#define PREFIX 5 /* of a message: whether it is compressed, and 32 bits of length */
#define UNTOLD (-1)

struct grpc_call {
	nghttp2_session *session;
	int32_t stream;
	struct buffer request, answer; /* prefix and message */
	size_t sent, came, limit;
	int http_status, status; /* UNTOLD */
	bool closed, reset;
};

static ssize_t give(nghttp2_session *session, int32_t stream, uint8_t *ret, size_t size,
		    uint32_t *ret_flags, nghttp2_data_source *source, void *context)
{
	struct grpc_call *call = context;
	size_t len = call->request.len - call->sent;

	if (len > size)
		len = size;
	memcpy(ret, call->request.data + call->sent, len);
	call->sent += len;
	if (call->sent == call->request.len)
		*ret_flags |= NGHTTP2_DATA_FLAG_EOF;
	return (ssize_t)len;
}

/* Three digits at most; anything else is no known status. */
static int number(const uint8_t *text, size_t len)
{
	int result = 0;

	if (!len || len > 3)
		return UNTOLD;
	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return UNTOLD;
		result = result * 10 + text[i] - '0';
	}
	return result;
}

static bool is_named(const char *wanted, const uint8_t *name, size_t len)
{
	return strlen(wanted) == len && memcmp(wanted, name, len) == 0;
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
		     size_t name_len, const uint8_t *value, size_t len, uint8_t flags,
		     void *context)
{
	struct grpc_call *call = context;

	if (frame->hd.stream_id != call->stream)
		return 0;
	if (is_named(":status", name, name_len))
		call->http_status = number(value, len);
	else if (is_named("grpc-status", name, name_len))
		call->status = number(value, len);
	return 0;
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t stream, const uint8_t *bytes,
		   size_t len, void *context)
{
	struct grpc_call *call = context;

	if (stream == call->stream)
		buffer_append(&call->answer, bytes, len);
	return 0;
}

static int on_close(nghttp2_session *session, int32_t stream, uint32_t error, void *context)
{
	struct grpc_call *call = context;

	if (stream != call->stream)
		return 0;
	call->closed = true;
	call->reset = error != NGHTTP2_NO_ERROR;
	return 0;
}

static int open_session(struct grpc_call *call)
{
	nghttp2_session_callbacks *callbacks;
	int result;

	if (nghttp2_session_callbacks_new(&callbacks) != 0)
		return -ENOMEM;
	nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
	nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
	nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
	result = nghttp2_session_client_new(&call->session, callbacks, call);
	nghttp2_session_callbacks_del(callbacks);
	return result == 0 ? 0 : -ENOMEM;
}

static nghttp2_nv header(const char *name, const char *value)
{
	return (nghttp2_nv){ .name = (uint8_t *)(uintptr_t)name,
			     .value = (uint8_t *)(uintptr_t)value,
			     .namelen = strlen(name),
			     .valuelen = strlen(value) };
}

static int submit(struct grpc_call *call, const struct grpc_request *request)
{
	const nghttp2_settings_entry settings = { NGHTTP2_SETTINGS_ENABLE_PUSH, 0 };
	const nghttp2_data_provider body = { .read_callback = give };
	const char *namespace = request->namespace ? request->namespace : "";
	char timeout[16];

	(void)snprintf(timeout, sizeof(timeout), "%uS", request->timeout_s);
	const nghttp2_nv headers[] = {
		header(":method", "POST"),
		header(":scheme", "http"),
		header(":path", request->path),
		header(":authority", "localhost"),
		header("content-type", "application/grpc"),
		header("te", "trailers"),
		header("user-agent", "tracer/" TRACER_VERSION),
		header("grpc-timeout", timeout),
		header("containerd-namespace", namespace),
	};
	size_t count = sizeof(headers) / sizeof(*headers) - (*namespace ? 0 : 1);

	if (nghttp2_submit_settings(call->session, NGHTTP2_FLAG_NONE, &settings, 1) != 0)
		return -ENOMEM;
	call->stream = nghttp2_submit_request(call->session, NULL, headers, count, &body, NULL);
	return call->stream > 0 ? 0 : -ENOMEM;
}

int grpc_call_new(struct grpc_call **ret, const struct grpc_request *request)
{
	struct grpc_call *call = calloc(1, sizeof(*call));
	const unsigned char prefix[PREFIX] = { 0, (unsigned char)(request->len >> 24),
					       (unsigned char)(request->len >> 16),
					       (unsigned char)(request->len >> 8),
					       (unsigned char)request->len };

	if (!call)
		return -ENOMEM;
	call->limit = request->limit;
	call->http_status = call->status = UNTOLD;
	buffer_init(&call->request, 0);
	buffer_init(&call->answer, PREFIX + request->limit);
	buffer_append(&call->request, prefix, sizeof(prefix));
	buffer_append(&call->request, request->message, request->len);
	if (call->request.failed || open_session(call) < 0 || submit(call, request) < 0) {
		grpc_call_free(call);
		return -ENOMEM;
	}
	*ret = call;
	return 0;
}

void grpc_call_free(struct grpc_call *call)
{
	if (!call)
		return;
	nghttp2_session_del(call->session);
	buffer_clear(&call->request);
	buffer_clear(&call->answer);
	free(call);
}

int grpc_call_output(struct grpc_call *call, struct buffer *ret)
{
	const uint8_t *bytes;
	ssize_t len;

	while ((len = nghttp2_session_mem_send(call->session, &bytes)) > 0)
		buffer_append(ret, bytes, (size_t)len);
	return len == 0 && !ret->failed && nghttp2_session_want_read(call->session) ? 0 : -EPROTO;
}

/* What came is one message that is not compressed, and nothing else. */
static bool is_one_message(const struct grpc_call *call)
{
	const unsigned char *prefix = (const unsigned char *)call->answer.data;

	return call->answer.len >= PREFIX && prefix[0] == 0 &&
	       ((size_t)prefix[1] << 24 | (size_t)prefix[2] << 16 | (size_t)prefix[3] << 8 |
		prefix[4]) == call->answer.len - PREFIX;
}

static int judge(const struct grpc_call *call)
{
	if (call->reset || call->http_status != 200 || call->status == UNTOLD)
		return -EPROTO;
	return call->status != GRPC_OK || is_one_message(call) ? 1 : -EPROTO;
}

int grpc_call_feed(struct grpc_call *call, const void *bytes, size_t len)
{
	call->came += len;
	if (call->came > call->limit + GRPC_OVERHEAD)
		return -EFBIG;
	if (nghttp2_session_mem_recv(call->session, bytes, len) < 0)
		return -EPROTO;
	if (call->answer.failed)
		return -EFBIG;
	return call->closed ? judge(call) : 0;
}

int grpc_call_status(const struct grpc_call *call, const void **ret, size_t *ret_len)
{
	if (call->status == GRPC_OK) {
		*ret = call->answer.data + PREFIX;
		*ret_len = call->answer.len - PREFIX;
	}
	return call->status;
}
