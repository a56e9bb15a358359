/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/session.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/id.h"
#include "base/log.h"
#include "server/access/secret.h"

/* The file has a line for each session: the digest of its secret as hex, a blank, and the second
 * after 1970 at which it ends. */
#define DIGEST_HEX (2 * sizeof(struct secret_digest))
#define LINE_SIZE  (DIGEST_HEX + 32)
#define FILE_LIMIT (SESSION_MAX * LINE_SIZE)

/* A clock that was set back must not make a session live for years. */
#define CLOCK_BACK_NS (24 * 3600 * NS_PER_S)

struct secret {
	struct secret_digest digest;
	int64_t until_ns; /* 0: this place is free */
};

struct sessions {
	pthread_mutex_t lock;
	char *path;
	struct secret codes[SESSION_CODES_MAX];
	struct secret live[SESSION_MAX];
};

static bool is_valid(const struct secret *secret, int64_t now_ns, int64_t life_s)
{
	return secret->until_ns > now_ns &&
	       secret->until_ns <= now_ns + life_s * NS_PER_S + CLOCK_BACK_NS;
}

static bool read_digest(const char *hex, struct secret_digest *ret)
{
	static const char DIGITS[] = "0123456789abcdef";

	if (strspn(hex, DIGITS) != DIGEST_HEX)
		return false;
	for (size_t i = 0; i < sizeof(ret->bytes); i++)
		ret->bytes[i] = (unsigned char)((strchr(DIGITS, hex[2 * i]) - DIGITS) << 4 |
						(strchr(DIGITS, hex[2 * i + 1]) - DIGITS));
	return true;
}

/* One line; false: it is none of ours. */
static bool read_session(const char *line, struct secret *ret)
{
	char *end;
	int64_t until_s;

	if (!read_digest(line, &ret->digest) || line[DIGEST_HEX] != ' ')
		return false;
	until_s = strtoll(line + DIGEST_HEX + 1, &end, 10);
	if (*end || end == line + DIGEST_HEX + 1 || until_s <= 0 || until_s > INT64_MAX / NS_PER_S)
		return false;
	ret->until_ns = until_s * NS_PER_S;
	return true;
}

static void read_file(struct sessions *sessions)
{
	CLEANUP(freep) char *text = NULL;
	size_t len, count = 0, broken = 0;
	int rc = file_read(AT_FDCWD, sessions->path, FILE_LIMIT, &text, &len);
	char *rest = text, *line;

	if (rc == -ENOENT)
		return;
	if (rc) {
		log_warning(
			"the logins of browsers in %s are not read: %s; log in again by `tracer "
			"up`",
			sessions->path, strerror(-rc));
		return;
	}
	while ((line = strsep(&rest, "\n")) && count < SESSION_MAX) {
		if (read_session(line, &sessions->live[count]))
			count++;
		else
			broken += *line != '\0';
	}
	if (broken)
		log_warning("%zu lines of %s are not of a login: these browsers log in again by "
			    "`tracer up`",
			    broken, sessions->path);
}

int sessions_open(struct sessions **ret, const char *path, struct error *err)
{
	struct sessions *sessions = calloc(1, sizeof(*sessions));

	if (!sessions)
		return error_set(err, -ENOMEM, "out of memory");
	pthread_mutex_init(&sessions->lock, NULL);
	if (path) {
		sessions->path = strdup(path);
		if (!sessions->path) {
			sessions_free(sessions);
			return error_set(err, -ENOMEM, "out of memory");
		}
		read_file(sessions);
	}
	*ret = sessions;
	return 0;
}

void sessions_free(struct sessions *sessions)
{
	if (!sessions)
		return;
	pthread_mutex_destroy(&sessions->lock);
	free(sessions->path);
	free(sessions);
}

static void write_session(struct buffer *out, const struct secret *secret)
{
	const int64_t until_s = secret->until_ns / NS_PER_S;

	for (size_t i = 0; i < sizeof(secret->digest.bytes); i++)
		buffer_printf(out, "%02x", secret->digest.bytes[i]);
	buffer_printf(out, " %" PRId64 "\n", until_s);
}

static void write_file(const struct sessions *sessions, int64_t now_ns)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	struct error err = { "" };

	if (!sessions->path)
		return;
	buffer_init(&text, FILE_LIMIT);
	for (size_t i = 0; i < SESSION_MAX; i++)
		if (is_valid(&sessions->live[i], now_ns, SESSION_LIFE_S))
			write_session(&text, &sessions->live[i]);
	if (text.failed ||
	    file_write(sessions->path, text.data ? text.data : "", text.len, 0600, &err))
		log_warning("logins of browsers end with this lake: %s",
			    text.failed ? "out of memory" : error_text(&err));
}

/* Puts a new secret in place of the one that ends first (free places end at 0). */
static void add(struct secret *places, size_t count, int64_t until_ns,
		char text[SESSION_SECRET_SIZE])
{
	struct secret *oldest = places;

	for (size_t i = 1; i < count; i++)
		if (places[i].until_ns < oldest->until_ns)
			oldest = &places[i];
	id_secret(text, (SESSION_SECRET_SIZE - 1) / 2);
	*oldest = (struct secret){ .digest = secret_digest(text), .until_ns = until_ns };
}

/* All are compared, so that the time it takes reveals nothing. */
static struct secret *find(struct secret *places, size_t count, int64_t now_ns, int64_t life_s,
			   const char *text)
{
	struct secret_digest digest = secret_digest(text);
	struct secret *found = NULL;

	for (size_t i = 0; i < count; i++)
		if (secret_equal(&digest, &places[i].digest) &&
		    is_valid(&places[i], now_ns, life_s))
			found = &places[i];
	return found;
}

static struct secret *find_live(struct sessions *sessions, int64_t now_ns, const char *text)
{
	return find(sessions->live, SESSION_MAX, now_ns, SESSION_LIFE_S, text);
}

void sessions_code(struct sessions *sessions, int64_t now_ns, char code[SESSION_SECRET_SIZE])
{
	pthread_mutex_lock(&sessions->lock);
	add(sessions->codes, SESSION_CODES_MAX, now_ns + SESSION_CODE_LIFE_S * NS_PER_S, code);
	pthread_mutex_unlock(&sessions->lock);
}

int sessions_login(struct sessions *sessions, int64_t now_ns, const char *code,
		   char secret[SESSION_SECRET_SIZE])
{
	struct secret *found;

	pthread_mutex_lock(&sessions->lock);
	found = find(sessions->codes, SESSION_CODES_MAX, now_ns, SESSION_CODE_LIFE_S, code);
	if (found) {
		memset(found, 0, sizeof(*found));
		add(sessions->live, SESSION_MAX, now_ns + SESSION_LIFE_S * NS_PER_S, secret);
		write_file(sessions, now_ns);
	}
	pthread_mutex_unlock(&sessions->lock);
	return found ? 0 : -ENOENT;
}

_Bool sessions_valid(struct sessions *sessions, int64_t now_ns, const char *secret)
{
	_Bool valid;

	pthread_mutex_lock(&sessions->lock);
	valid = find_live(sessions, now_ns, secret) != NULL;
	pthread_mutex_unlock(&sessions->lock);
	return valid;
}

void sessions_logout(struct sessions *sessions, int64_t now_ns, const char *secret)
{
	struct secret *found;

	pthread_mutex_lock(&sessions->lock);
	found = find_live(sessions, now_ns, secret);
	if (found) {
		memset(found, 0, sizeof(*found));
		write_file(sessions, now_ns);
	}
	pthread_mutex_unlock(&sessions->lock);
}
