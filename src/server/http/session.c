/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/session.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/id.h"
#include "server/http/token.h"

struct secret {
	struct secret_digest digest;
	uint64_t until_ns; /* 0: this place is free */
};

struct sessions {
	pthread_mutex_t lock;
	struct secret codes[SESSION_CODES_MAX];
	struct secret live[SESSION_MAX];
};

struct sessions *sessions_new(void)
{
	struct sessions *sessions = calloc(1, sizeof(*sessions));

	if (sessions)
		pthread_mutex_init(&sessions->lock, NULL);
	return sessions;
}

void sessions_free(struct sessions *sessions)
{
	if (!sessions)
		return;
	pthread_mutex_destroy(&sessions->lock);
	free(sessions);
}

/* Puts a new secret in place of the one that ends first (free places end at 0). */
static void add(struct secret *places, size_t count, uint64_t until_ns,
		char text[SESSION_SECRET_SIZE])
{
	struct secret *oldest = places;

	for (size_t i = 1; i < count; i++)
		if (places[i].until_ns < oldest->until_ns)
			oldest = &places[i];
	id_secret(text, (SESSION_SECRET_SIZE - 1) / 2);
	*oldest = (struct secret){ .digest = secret_digest(text), .until_ns = until_ns };
}

static struct secret *find(struct secret *places, size_t count, uint64_t now_ns, const char *text)
{
	struct secret_digest digest = secret_digest(text);
	struct secret *found = NULL;

	for (size_t i = 0; i < count; i++)
		if (secret_equal(&digest, &places[i].digest) && places[i].until_ns > now_ns)
			found = &places[i];
	return found;
}

void sessions_code(struct sessions *sessions, uint64_t now_ns, char code[SESSION_SECRET_SIZE])
{
	pthread_mutex_lock(&sessions->lock);
	add(sessions->codes, SESSION_CODES_MAX, now_ns + SESSION_CODE_LIFE_S * NS_PER_S, code);
	pthread_mutex_unlock(&sessions->lock);
}

int sessions_login(struct sessions *sessions, uint64_t now_ns, const char *code,
		   char secret[SESSION_SECRET_SIZE])
{
	struct secret *found;

	pthread_mutex_lock(&sessions->lock);
	found = find(sessions->codes, SESSION_CODES_MAX, now_ns, code);
	if (found) {
		memset(found, 0, sizeof(*found));
		add(sessions->live, SESSION_MAX, now_ns + SESSION_LIFE_S * NS_PER_S, secret);
	}
	pthread_mutex_unlock(&sessions->lock);
	return found ? 0 : -ENOENT;
}

_Bool sessions_valid(struct sessions *sessions, uint64_t now_ns, const char *secret)
{
	_Bool valid;

	pthread_mutex_lock(&sessions->lock);
	valid = find(sessions->live, SESSION_MAX, now_ns, secret) != NULL;
	pthread_mutex_unlock(&sessions->lock);
	return valid;
}
