/* SPDX-License-Identifier: Apache-2.0 */
#include "server/access/token_use.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/map.h"

#define FILE_NAME "last_use.json"
#define FILE_SIZE (8u << 20)
#define USES_MAX  65536
#define PAUSE_NS  (60 * NS_PER_S)

struct token_use {
	struct token_use *next;
	char id[TOKEN_ID_SIZE];
	int64_t used_at;
	char from[TOKEN_FROM_SIZE];
	struct token_meter meter;
	uint64_t refused_ns; /* when a refusal was last noted; 0: never */
	size_t sender_count;
	uint64_t *senders; /* hashes of agents and boots; grows at each power of two */
};

struct token_uses {
	pthread_mutex_t lock;
	char *path;
	struct map *by_id; /* map_text_key */
	struct token_use *first;
	bool changed;
	uint64_t written_ns;
};

static struct token_use *find_or_make(struct token_uses *uses, const char *id)
{
	struct map_text_key key = map_text_key(id, strlen(id));
	struct token_use *use = map_get(uses->by_id, &key);

	if (use || strlen(id) >= TOKEN_ID_SIZE)
		return use;
	use = calloc(1, sizeof(*use));
	if (!use || map_put(uses->by_id, &key, use)) {
		free(use);
		return NULL;
	}
	snprintf(use->id, sizeof(use->id), "%s", id);
	use->next = uses->first;
	uses->first = use;
	return use;
}

struct token_use *token_use_get(struct token_uses *uses, const char *id)
{
	struct token_use *use;

	pthread_mutex_lock(&uses->lock);
	use = find_or_make(uses, id);
	pthread_mutex_unlock(&uses->lock);
	return use;
}

static json_t *read_file(const char *path)
{
	CLEANUP(freep) char *text = NULL;
	size_t len;

	return file_read(AT_FDCWD, path, FILE_SIZE, &text, &len) ? NULL
								 : json_loadb(text, len, 0, NULL);
}

static void take(const json_t *object, int64_t *ret_at, char from[TOKEN_FROM_SIZE])
{
	const char *text = json_string_value(json_object_get(object, "from"));

	*ret_at = json_integer_value(json_object_get(object, "at"));
	snprintf(from, TOKEN_FROM_SIZE, "%s", text ? text : "");
}

/* What cannot be read is not known. */
static void load(struct token_uses *uses)
{
	CLEANUP(json_decrefp) json_t *file = read_file(uses->path);
	const char *id;
	json_t *object;

	json_object_foreach(file, id, object)
	{
		struct token_use *use = find_or_make(uses, id);

		if (use)
			take(object, &use->used_at, use->from);
	}
}

int token_uses_open(struct token_uses **ret, const char *tokens_folder, struct error *err)
{
	struct token_uses *uses = calloc(1, sizeof(*uses));

	if (!uses)
		return error_set(err, -ENOMEM, "out of memory");
	pthread_mutex_init(&uses->lock, NULL);
	uses->by_id = map_new_of_texts(USES_MAX);
	if (!uses->by_id || asprintf(&uses->path, "%s/" FILE_NAME, tokens_folder) < 0) {
		uses->path = NULL;
		token_uses_close(uses);
		return error_set(err, -ENOMEM, "out of memory");
	}
	load(uses);
	*ret = uses;
	return 0;
}

/* With the lock held. */
static void write_text(const struct token_uses *uses, struct buffer *out)
{
	struct json json;

	json_init(&json, out, false);
	json_object_begin(&json);
	for (const struct token_use *use = uses->first; use; use = use->next) {
		if (!use->used_at)
			continue;
		json_key(&json, use->id);
		json_object_begin(&json);
		json_key(&json, "at");
		json_i64(&json, use->used_at);
		json_key(&json, "from");
		json_text(&json, use->from);
		json_object_end(&json);
	}
	json_object_end(&json);
}

static void write_file(struct token_uses *uses)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	struct error err = { "" };

	buffer_init(&text, FILE_SIZE);
	pthread_mutex_lock(&uses->lock);
	write_text(uses, &text);
	uses->changed = false;
	uses->written_ns = clock_monotonic_ns();
	pthread_mutex_unlock(&uses->lock);
	if (text.failed || file_write(uses->path, text.data, text.len, 0600, &err))
		log_warning("the last uses of tokens are not written: %s", error_text(&err));
}

void token_uses_write(struct token_uses *uses)
{
	bool due;

	pthread_mutex_lock(&uses->lock);
	due = uses->changed && clock_monotonic_ns() - uses->written_ns >= PAUSE_NS;
	pthread_mutex_unlock(&uses->lock);
	if (due)
		write_file(uses);
}

void token_uses_close(struct token_uses *uses)
{
	struct token_use *next;

	if (!uses)
		return;
	if (uses->changed)
		write_file(uses);
	for (struct token_use *use = uses->first; use; use = next) {
		next = use->next;
		free(use->senders);
		free(use);
	}
	map_free(uses->by_id);
	pthread_mutex_destroy(&uses->lock);
	free(uses->path);
	free(uses);
}

bool token_use_enter(struct token_uses *uses, struct token_use *use,
		     const struct token_limits *limits, const char *from)
{
	bool entered;

	pthread_mutex_lock(&uses->lock);
	entered = token_meter_enter(&use->meter, limits);
	if (entered) {
		use->used_at = clock_real_ns();
		snprintf(use->from, sizeof(use->from), "%s", from);
		uses->changed = true;
	}
	pthread_mutex_unlock(&uses->lock);
	return entered;
}

void token_use_leave(struct token_uses *uses, struct token_use *use)
{
	pthread_mutex_lock(&uses->lock);
	token_meter_leave(&use->meter);
	pthread_mutex_unlock(&uses->lock);
}

bool token_use_take(struct token_uses *uses, struct token_use *use,
		    const struct token_limits *limits, size_t bytes, unsigned *ret_wait_s)
{
	bool taken;

	pthread_mutex_lock(&uses->lock);
	taken = token_meter_take(&use->meter, limits, clock_monotonic_ns(), bytes, ret_wait_s);
	pthread_mutex_unlock(&uses->lock);
	return taken;
}

/* With the lock held. */
static bool add_sender(struct token_use *use, uint64_t sender)
{
	size_t count = use->sender_count;

	for (size_t i = 0; i < count; i++)
		if (use->senders[i] == sender)
			return true;
	if (count == TOKEN_SENDERS_MAX)
		return false;
	if ((count & (count - 1)) == 0) {
		uint64_t *more =
			realloc(use->senders, (count ? 2 * count : 1) * sizeof(*use->senders));

		if (!more)
			return false;
		use->senders = more;
	}
	use->senders[use->sender_count++] = sender;
	return true;
}

bool token_use_sender(struct token_uses *uses, struct token_use *use, const char *agent_id,
		      const char *boot_id)
{
	uint64_t sender = map_text_key(agent_id, strlen(agent_id)).words[0] ^
			  map_text_key(boot_id, strlen(boot_id)).words[1];
	bool may;

	pthread_mutex_lock(&uses->lock);
	may = add_sender(use, sender);
	pthread_mutex_unlock(&uses->lock);
	return may;
}

bool token_use_note_refusal(struct token_uses *uses, struct token_use *use)
{
	uint64_t now_ns = clock_monotonic_ns();
	bool noted;

	pthread_mutex_lock(&uses->lock);
	noted = !use->refused_ns || now_ns - use->refused_ns >= PAUSE_NS;
	if (noted)
		use->refused_ns = now_ns;
	pthread_mutex_unlock(&uses->lock);
	return noted;
}

int64_t token_use_last(const char *tokens_folder, const char *id, char from[TOKEN_FROM_SIZE])
{
	CLEANUP(freep) char *path = NULL;
	CLEANUP(json_decrefp) json_t *file = NULL;
	int64_t at = 0;

	from[0] = '\0';
	if (asprintf(&path, "%s/" FILE_NAME, tokens_folder) < 0)
		return 0;
	file = read_file(path);
	take(json_object_get(file, id), &at, from);
	return at;
}
