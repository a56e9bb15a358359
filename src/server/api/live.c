/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api/live.h"

#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/cleanup.h"

/* What is sent; shared by those who are sending it. */
struct message {
	unsigned owners;
	uint64_t number; /* from 1 */
	size_t len;
	char bytes[];
};

struct watcher {
	struct live *live;
	struct watcher *next, **link;
	struct MHD_Connection *connection;
	struct message *message; /* being sent, or NULL */
	size_t sent;
	uint64_t seen; /* number of the last message taken */
	uint64_t beat_ns, until_ns;
	int fd;
	bool suspended, gone;
};

struct live {
	pthread_mutex_t lock;
	struct watcher *first;
	struct message *newest;
	uint64_t claimed; /* changes + 1; 0: none yet */
	unsigned count;
	bool stopping;
};

static const char BEAT[] = ":\n\n";

struct live *live_new(void)
{
	struct live *live = calloc(1, sizeof(*live));

	if (live)
		pthread_mutex_init(&live->lock, NULL);
	return live;
}

static void release(struct message **message)
{
	if (*message && --(*message)->owners == 0)
		free(*message);
	*message = NULL;
}

void live_free(struct live *live)
{
	if (!live)
		return;
	release(&live->newest);
	pthread_mutex_destroy(&live->lock);
	free(live);
}

/* As much of the message under way as fits. */
static ssize_t send_part(struct watcher *watcher, char *out, size_t size)
{
	size_t left = watcher->message->len - watcher->sent;
	size_t part = left < size ? left : size;

	memcpy(out, watcher->message->bytes + watcher->sent, part);
	watcher->sent += part;
	if (watcher->sent == watcher->message->len)
		release(&watcher->message);
	watcher->beat_ns = clock_monotonic_ns() + LIVE_BEAT_NS;
	return (ssize_t)part;
}

static bool has_news(const struct watcher *watcher, uint64_t now_ns)
{
	const struct live *live = watcher->live;

	return live->stopping || watcher->gone || watcher->message || now_ns >= watcher->beat_ns ||
	       now_ns >= watcher->until_ns ||
	       (live->newest && live->newest->number > watcher->seen);
}

/* With the lock held. */
static ssize_t next_part(struct watcher *watcher, char *out, size_t size)
{
	struct live *live = watcher->live;
	uint64_t now_ns = clock_monotonic_ns();

	if (live->stopping || watcher->gone || (now_ns >= watcher->until_ns && !watcher->message))
		return MHD_CONTENT_READER_END_OF_STREAM;
	if (!has_news(watcher, now_ns)) {
		watcher->suspended = true;
		MHD_suspend_connection(watcher->connection);
		return 0;
	}
	if (!watcher->message && live->newest && live->newest->number > watcher->seen) {
		watcher->message = live->newest;
		watcher->message->owners++;
		watcher->seen = watcher->message->number;
		watcher->sent = 0;
	}
	if (watcher->message)
		return send_part(watcher, out, size);
	watcher->beat_ns = now_ns + LIVE_BEAT_NS;
	memcpy(out, BEAT, sizeof(BEAT) - 1);
	return sizeof(BEAT) - 1;
}

static ssize_t on_read(void *context, uint64_t position, char *out, size_t size)
{
	struct watcher *watcher = context;
	ssize_t len;

	pthread_mutex_lock(&watcher->live->lock);
	len = next_part(watcher, out, size);
	pthread_mutex_unlock(&watcher->live->lock);
	return len;
}

static void on_end(void *context)
{
	struct watcher *watcher = context;
	struct live *live = watcher->live;

	pthread_mutex_lock(&live->lock);
	*watcher->link = watcher->next;
	if (watcher->next)
		watcher->next->link = watcher->link;
	release(&watcher->message);
	live->count--;
	pthread_mutex_unlock(&live->lock);
	free(watcher);
}

/* With the lock held. */
static void link_watcher(struct live *live, struct watcher *watcher)
{
	watcher->next = live->first;
	watcher->link = &live->first;
	if (watcher->next)
		watcher->next->link = &watcher->next;
	live->first = watcher;
	live->count++;
}

int live_watch(struct live *live, struct MHD_Connection *connection, struct MHD_Response **ret)
{
	struct watcher *watcher = calloc(1, sizeof(*watcher));
	uint64_t now_ns = clock_monotonic_ns();
	const union MHD_ConnectionInfo *info;
	bool full;

	if (!watcher)
		return -ENOMEM;
	info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	*watcher = (struct watcher){ .live = live,
				     .fd = info ? info->connect_fd : -1,
				     .connection = connection,
				     .beat_ns = now_ns + LIVE_BEAT_NS,
				     .until_ns = now_ns + LIVE_LIFE_NS };
	pthread_mutex_lock(&live->lock);
	full = live->stopping || live->count >= LIVE_WATCHERS_MAX;
	if (!full)
		link_watcher(live, watcher);
	pthread_mutex_unlock(&live->lock);
	if (full) {
		free(watcher);
		return -EBUSY;
	}
	*ret = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 16 << 10, on_read, watcher,
						 on_end);
	if (!*ret)
		on_end(watcher);
	return *ret ? 0 : -ENOMEM;
}

unsigned live_watchers(struct live *live)
{
	unsigned count;

	pthread_mutex_lock(&live->lock);
	count = live->count;
	pthread_mutex_unlock(&live->lock);
	return count;
}

bool live_claim(struct live *live, uint64_t changes)
{
	bool news;

	pthread_mutex_lock(&live->lock);
	news = live->claimed < changes + 1;
	if (news)
		live->claimed = changes + 1;
	pthread_mutex_unlock(&live->lock);
	return news;
}

static struct message *make_message(const char *event, const char *data, size_t len)
{
	struct buffer text;
	struct message *message;

	buffer_init(&text, 0);
	buffer_printf(&text, "event: %s\ndata: ", event);
	buffer_append(&text, data, len);
	buffer_append_text(&text, "\n\n");
	message = text.failed ? NULL : malloc(sizeof(*message) + text.len);
	if (message) {
		*message = (struct message){ .owners = 1, .len = text.len };
		memcpy(message->bytes, text.data, text.len);
	}
	buffer_clear(&text);
	return message;
}

static bool is_same(const struct message *a, const struct message *b)
{
	return a && a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0;
}

void live_publish(struct live *live, const char *event, const char *data, size_t len)
{
	struct message *message = make_message(event, data, len);

	if (!message)
		return;
	pthread_mutex_lock(&live->lock);
	if (is_same(live->newest, message)) {
		free(message);
	} else {
		message->number = live->newest ? live->newest->number + 1 : 1;
		release(&live->newest);
		live->newest = message;
	}
	pthread_mutex_unlock(&live->lock);
}

/* MHD does not look at the socket of a suspended connection: a browser that went away would count
 * until two heartbeats failed. */
static bool is_gone(const struct watcher *watcher)
{
	struct pollfd poll_fd = { .fd = watcher->fd, .events = POLLRDHUP };

	return poll(&poll_fd, 1, 0) == 1;
}

void live_tick(struct live *live)
{
	uint64_t now_ns = clock_monotonic_ns();

	pthread_mutex_lock(&live->lock);
	for (struct watcher *watcher = live->first; watcher; watcher = watcher->next) {
		if (!watcher->suspended)
			continue;
		watcher->gone = watcher->gone || is_gone(watcher);
		if (!has_news(watcher, now_ns))
			continue;
		watcher->suspended = false;
		MHD_resume_connection(watcher->connection);
	}
	pthread_mutex_unlock(&live->lock);
}

void live_stop(struct live *live)
{
	pthread_mutex_lock(&live->lock);
	live->stopping = true;
	pthread_mutex_unlock(&live->lock);
	live_tick(live);
}
