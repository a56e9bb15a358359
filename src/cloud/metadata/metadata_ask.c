/* SPDX-License-Identifier: Apache-2.0 */
#include "cloud/metadata/metadata_ask.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/http/http.h"

#define TOKEN_SIZE          512
#define PATH_SIZE           256
#define STATUS_OK           200
#define STATUS_UNAUTHORIZED 401

/* What the request in progress is for, in the order in which a machine is asked for. */
enum question { QUESTION_TOKEN, QUESTION_STEP, QUESTION_TAGS, QUESTION_TAG, QUESTION_WATCH };

struct metadata_ask {
	struct event_base *base;
	const struct metadata_source *source;
	char *url;
	struct http_client *client; /* has the token in its header */
	bool has_token;
	enum question question;
	size_t at;                     /* which step, or watch */
	struct cloud_machine *machine; /* NULL: notices are asked for */
	char *keys, *rest, *key; /* of tags: their list, what of it is still to be asked for, and
				    the one that is asked for now */
	metadata_noticed *noticed;
	metadata_asked *done;
	void *context;
};

static void on_answer(const struct http_response *response, void *context);

/* A client that sends this header with each request. */
static int make_client(struct metadata_ask *ask, const char *header, struct error *err)
{
	const struct http_options options = { .url = ask->url,
					      .header = header,
					      .answer_header = ask->source->answer_header,
					      .timeout_ns = METADATA_WAIT_NS,
					      .response_limit = METADATA_BYTES };

	http_client_free(TAKE_PTR(ask->client));
	return http_client_new(&ask->client, ask->base, &options, err);
}

int metadata_ask_new(struct metadata_ask **ret, struct event_base *base,
		     const struct metadata_source *source, const char *url, struct error *err)
{
	struct metadata_ask *ask = calloc(1, sizeof(*ask));
	int result;

	if (ask)
		ask->url = strdup(*url ? url : source->url);
	if (!ask || !ask->url) {
		free(ask);
		return error_set(err, -ENOMEM, "no memory to ask a metadata service");
	}
	ask->base = base;
	ask->source = source;
	result = make_client(ask, source->header, err); /* is the URL one? */
	if (result < 0)
		metadata_ask_free(ask);
	else
		*ret = ask;
	return result;
}

void metadata_ask_free(struct metadata_ask *ask)
{
	if (!ask)
		return;
	http_client_free(ask->client);
	free(ask->keys);
	free(ask->url);
	free(ask);
}

void metadata_ask_drop(struct metadata_ask *ask)
{
	free(TAKE_PTR(ask->keys));
	ask->has_token = false;
	http_client_free(TAKE_PTR(ask->client));
}

static void finish(struct metadata_ask *ask, int error, const struct error *words)
{
	free(TAKE_PTR(ask->keys));
	ask->done(error, words, ask->context);
}

static void fail(struct metadata_ask *ask, int error, const char *path, const char *why)
{
	struct error words;

	finish(ask, error_set(&words, error, "%s: %s", path, why), &words);
}

static void send(struct metadata_ask *ask, const char *method, const char *path)
{
	if (http_client_send(ask->client, method, path, NULL, NULL, 0, on_answer, ask) < 0)
		fail(ask, -ENOMEM, path, "the request could not be made");
}

static void ask_token(struct metadata_ask *ask)
{
	struct error words = { 0 };
	int result = make_client(ask, ask->source->token_request_header, &words);

	ask->question = QUESTION_TOKEN;
	if (result < 0)
		finish(ask, result, &words);
	else
		send(ask, "PUT", ask->source->token_path);
}

static const char *path_of(const struct metadata_ask *ask, char path[PATH_SIZE])
{
	switch (ask->question) {
	case QUESTION_TOKEN:
		return ask->source->token_path;
	case QUESTION_STEP:
		return ask->source->steps[ask->at].path;
	case QUESTION_WATCH:
		return ask->source->watches[ask->at].path;
	case QUESTION_TAG:
		(void)snprintf(path, PATH_SIZE, "%s/%s", ask->source->tags_path, ask->key);
		return path;
	default:
		return ask->source->tags_path;
	}
}

/* The next key of the list that may be asked for. */
static bool next_key(struct metadata_ask *ask)
{
	while ((ask->key = strsep(&ask->rest, "\n")))
		if (cloud_tag_key_fits(ask->key) && ask->machine->tag_count < CLOUD_TAGS_MAX)
			return true;
	return false;
}

/* The next question; false: there is none. */
static bool advance(struct metadata_ask *ask)
{
	const struct metadata_source *source = ask->source;

	ask->at++;
	if (ask->question == QUESTION_WATCH)
		return ask->at < source->watch_count;
	if (ask->question == QUESTION_STEP && ask->at < source->step_count)
		return true;
	if (ask->question == QUESTION_STEP && source->tags_path) {
		ask->question = QUESTION_TAGS;
		return true;
	}
	ask->question = QUESTION_TAG;
	return next_key(ask);
}

static void ask_now(struct metadata_ask *ask)
{
	char path[PATH_SIZE];

	send(ask, "GET", path_of(ask, path));
}

static void ask_next(struct metadata_ask *ask)
{
	if (advance(ask))
		ask_now(ask);
	else if (ask->machine && !cloud_machine_agrees(ask->machine))
		fail(ask, -EPROTO, ask->url, "the zone that it names is not in its region");
	else
		finish(ask, 0, NULL);
}

static void begin(struct metadata_ask *ask)
{
	ask->question = ask->machine ? QUESTION_STEP : QUESTION_WATCH;
	ask->at = 0;
	ask_now(ask);
}

static void take_token(struct metadata_ask *ask, const char *token)
{
	char header[TOKEN_SIZE];
	struct error words = { 0 };
	int len = snprintf(header, sizeof(header), "%s: %s", ask->source->token_header, token);
	int result;

	if (!*token || len >= (int)sizeof(header) || strpbrk(token, " \t\r\n")) {
		fail(ask, -EPROTO, ask->source->token_path, "the answer is no token");
		return;
	}
	result = make_client(ask, header, &words);
	explicit_bzero(header, sizeof(header));
	if (result < 0) {
		finish(ask, result, &words);
		return;
	}
	ask->has_token = true;
	begin(ask);
}

/* An answer of status 200. false: it does not have the form that it must have. */
static bool take(struct metadata_ask *ask, const char *text)
{
	struct metadata_notice notice;

	switch (ask->question) {
	case QUESTION_STEP:
		return ask->source->steps[ask->at].take(ask->machine, text);
	case QUESTION_TAGS:
		ask->keys = ask->rest = strdup(text);
		return ask->keys;
	case QUESTION_TAG:
		return cloud_machine_add_tag(ask->machine, ask->key, text);
	default:
		if (ask->source->watches[ask->at].take(text, &notice))
			ask->noticed(&notice, ask->context);
		return true;
	}
}

/* The text of an answer without the white space at its end; NULL: it has a NUL in it, or there is
 * no memory. */
static char *text_of(const struct http_response *response)
{
	size_t len = response->body_len;

	if (memchr(response->body, '\0', len))
		return NULL;
	while (len > 0 && isspace((unsigned char)response->body[len - 1]))
		len--;
	return strndup(response->body, len);
}

static void on_answer(const struct http_response *response, void *context)
{
	struct metadata_ask *ask = context;
	CLEANUP(freep) char *text = NULL;
	char path_text[PATH_SIZE], why[64];
	const char *path = path_of(ask, path_text);
	bool needed = ask->question == QUESTION_TOKEN ||
		      (ask->question == QUESTION_STEP && ask->source->steps[ask->at].needed);

	if (response->error) {
		fail(ask, response->error, path, error_text(&response->words));
		return;
	}
	(void)snprintf(why, sizeof(why), "the answer has status %d", response->status);
	if (response->status == STATUS_UNAUTHORIZED && ask->has_token) {
		ask->has_token = false; /* it ran out */
		fail(ask, -EAGAIN, path, why);
		return;
	}
	if (response->status != STATUS_OK && needed) {
		fail(ask, -ENOENT, path, why);
		return;
	}
	text = response->status == STATUS_OK ? text_of(response) : NULL;
	if (ask->question == QUESTION_TOKEN)
		take_token(ask, text ? text : "");
	else if (!(text && take(ask, text)) && needed)
		fail(ask, -EPROTO, path, "the answer does not have the form of such a value");
	else
		ask_next(ask);
}

/* Without a token, or with the one that there is. */
static void ask_openly(struct metadata_ask *ask)
{
	struct error words = { 0 };
	int result = ask->client ? 0 : make_client(ask, ask->source->header, &words);

	if (result < 0)
		finish(ask, result, &words);
	else
		begin(ask);
}

static void start(struct metadata_ask *ask, metadata_asked *done, void *context)
{
	ask->done = done;
	ask->context = context;
	if (ask->source->token_path && !ask->has_token)
		ask_token(ask);
	else
		ask_openly(ask);
}

void metadata_ask_machine(struct metadata_ask *ask, struct cloud_machine *machine,
			  metadata_asked *done, void *context)
{
	ask->machine = machine;
	ask->noticed = NULL;
	start(ask, done, context);
}

void metadata_ask_notices(struct metadata_ask *ask, metadata_noticed *noticed, metadata_asked *done,
			  void *context)
{
	ask->machine = NULL;
	ask->noticed = noticed;
	start(ask, done, context);
}
