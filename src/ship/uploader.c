/* SPDX-License-Identifier: Apache-2.0 */
#include "ship/uploader.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/http/http.h"
#include "base/log.h"
#include "ship/spool.h"

#define TOKEN_LIMIT       4096
#define RESPONSE_LIMIT    (64u << 10)
#define BACKOFF_MIN       (1 * NS_PER_S)
#define BACKOFF_MAX       (30 * NS_PER_S)
#define RETRY_AFTER_MAX_S 300 /* a longer Retry-After is cut to this */
#define INGEST_PATH       "/api/v1/ingest"
#define CLOCK_NS          (600 * NS_PER_S) /* a measured clock offset is replaced after this */
#define INGEST_TYPE       "application/x-protobuf"

struct uploader {
	struct event_base *base;
	struct spool *spool;
	char *url, *token_file, *ca_file;
	uint64_t timeout_ns, backoff_min_ns, backoff_max_ns, backoff_ns;
	char *token; /* as last read */
	bool warned_mode;
	struct http_client *client; /* NULL: made before the next request, with the token of then */
	struct event *timer;
	size_t sent_len;
	uint64_t sent_records;
	int64_t sent_at;  /* of the last batch */
	int64_t clock_at; /* of the round trip that status.clock_offset_ns was measured by */
	struct uploader_status status;
};

/* Sets the state; logs it if the reason differs from the last one. words: why not idle, or "". */
static void set_state(struct uploader *uploader, enum uploader_state state, const char *words)
{
	bool known = strcmp(uploader->status.last_error.text, words) == 0;
	bool was_bad = uploader->status.last_error.text[0] != '\0';
	uploader->status.state = state;
	error_set(&uploader->status.last_error, 0, "%s", words);
	if (known)
		return;
	if (words[0] != '\0')
		log_warning("batches wait in the spool: %s", words);
	else if (was_bad)
		log_info("the lake at %s takes batches again", uploader->url);
}

/* A random delay from ns / 2 to ns, so that many agents do not retry at the same moment. */
static uint64_t jitter(uint64_t ns)
{
	uint64_t random = 0;
	if (getrandom(&random, sizeof(random), GRND_NONBLOCK) != sizeof(random))
		random = clock_monotonic_ns();
	return ns / 2 + random % (ns / 2 + 1);
}

static void wait_for(struct uploader *uploader, uint64_t ns)
{
	struct timeval delay = { .tv_sec = (time_t)(ns / NS_PER_S),
				 .tv_usec = (suseconds_t)(ns % NS_PER_S / NS_PER_US) };
	evtimer_add(uploader->timer, &delay);
}

static void back_off(struct uploader *uploader, enum uploader_state state, uint32_t retry_after_s,
		     const char *words)
{
	uint64_t wait_s = retry_after_s < RETRY_AFTER_MAX_S ? retry_after_s : RETRY_AFTER_MAX_S;
	uint64_t delay = jitter(uploader->backoff_ns);
	set_state(uploader, state, words);
	uploader->backoff_ns *= 2;
	if (uploader->backoff_ns > uploader->backoff_max_ns)
		uploader->backoff_ns = uploader->backoff_max_ns;
	if (wait_s > 0)
		delay = wait_s * NS_PER_S + jitter(uploader->backoff_min_ns);
	wait_for(uploader, delay);
}

static int read_token(struct uploader *uploader, struct error *err)
{
	struct stat info;
	char *token = NULL;
	size_t len = 0;
	if (!uploader->token_file)
		return 0;
	int rc = file_read(AT_FDCWD, uploader->token_file, TOKEN_LIMIT, &token, &len);
	if (rc != 0)
		return error_set(err, rc, "cannot read the token in %s: %s", uploader->token_file,
				 strerror(-rc));
	len = strcspn(token, "\r\n");
	token[len] = '\0';
	free(uploader->token);
	uploader->token = token;
	if (!uploader->warned_mode && stat(uploader->token_file, &info) == 0 &&
	    (info.st_mode & (S_IRWXG | S_IRWXO))) {
		log_warning("%s can be read by others; chmod 600 it", uploader->token_file);
		uploader->warned_mode = true;
	}
	return len > 0 ? 0
		       : error_set(err, -EINVAL, "the token file %s is empty",
				   uploader->token_file);
}

static int make_client(struct uploader *uploader, struct error *err)
{
	struct http_options options = { .url = uploader->url,
					.token = uploader->token,
					.ca_file = uploader->ca_file,
					.encoding = "zstd",
					.timeout_ns = uploader->timeout_ns,
					.response_limit = RESPONSE_LIMIT };
	return http_client_new(&uploader->client, uploader->base, &options, err);
}

static void send_next(struct uploader *uploader);

/* Measures the clock offset as NTP does: the time of the round trip that the lake did not use
 * itself is network time. Half of it is assumed each way; so the error is at most half. The
 * quickest round trip is kept. Nothing is measured if the lake sends no times, or if a clock was
 * set in between. */
static void read_clocks(struct uploader *uploader, const json_t *receipt)
{
	struct uploader_status *status = &uploader->status;
	int64_t received = json_integer_value(json_object_get(receipt, "received_ns"));
	int64_t answered = json_integer_value(json_object_get(receipt, "answered_ns"));
	int64_t now = clock_real_ns(), network = now - uploader->sent_at - (answered - received);

	if (received <= 0 || answered < received || network < 0)
		return;
	if (status->clock_error_ns && (uint64_t)network / 2 + 1 >= status->clock_error_ns &&
	    now - uploader->clock_at < (int64_t)CLOCK_NS && now >= uploader->clock_at)
		return;
	status->clock_error_ns = (uint64_t)network / 2 + 1;
	status->clock_offset_ns = (received - uploader->sent_at) / 2 + (answered - now) / 2;
	uploader->clock_at = now;
}

/* true: the lake acknowledged the batch: {"sequence": that of the batch, "duplicate": …}. Any other
 * body with status 200 (as of a proxy) does not come from a lake. */
static bool is_receipt(struct uploader *uploader, const struct http_response *response,
		       bool *ret_duplicate)
{
	CLEANUP(json_decrefp)
	json_t *receipt = json_loadb(response->body, response->body_len, 0, NULL);
	const json_t *sequence = json_object_get(receipt, "sequence");
	const json_t *duplicate = json_object_get(receipt, "duplicate");
	*ret_duplicate = json_is_true(duplicate);
	read_clocks(uploader, receipt);
	return json_is_integer(sequence) && json_is_boolean(duplicate) &&
	       (uint64_t)json_integer_value(sequence) == spool_peeked_sequence(uploader->spool);
}

static void on_accepted(struct uploader *uploader, const struct http_response *response)
{
	struct uploader_status *status = &uploader->status;
	bool duplicate = false;
	if (!is_receipt(uploader, response, &duplicate)) {
		back_off(uploader, UPLOADER_WAITING, 0, "what answers at this URL is not a lake");
		return;
	}
	status->batches++;
	status->records += uploader->sent_records;
	status->bytes += uploader->sent_len;
	status->duplicates += duplicate;
	status->last_ok_at = clock_real_ns();
	uploader->backoff_ns = uploader->backoff_min_ns;
	set_state(uploader, UPLOADER_SENDING, "");
	spool_advance(uploader->spool);
	send_next(uploader);
}

static void on_malformed(struct uploader *uploader, const struct http_response *response)
{
	uploader->status.rejected_batches++;
	uploader->status.rejected_records += uploader->sent_records;
	log_error("the lake rejected a batch of %llu records (HTTP %d); it is kept in rejected/ of "
		  "the spool",
		  (unsigned long long)uploader->sent_records, response->status);
	spool_reject(uploader->spool);
	send_next(uploader);
}

/* The token file may hold another token by the next try. */
static void on_refused(struct uploader *uploader, const struct http_response *response)
{
	struct error words;
	error_set(&words, 0, "the lake refuses the token%s%s (HTTP %d)",
		  uploader->token_file ? " in " : "",
		  uploader->token_file ? uploader->token_file : "", response->status);
	http_client_free(TAKE_PTR(uploader->client));
	back_off(uploader, UPLOADER_REFUSED, 0, words.text);
}

static void on_busy(struct uploader *uploader, const struct http_response *response)
{
	struct error words;
	error_set(&words, 0, "the lake answers HTTP %d", response->status);
	back_off(uploader, UPLOADER_WAITING, response->retry_after_s, words.text);
}

static const struct {
	int status;
	void (*act)(struct uploader *uploader, const struct http_response *response);
} actions[] = {
	{ 200, on_accepted }, { 400, on_malformed }, { 401, on_refused },
	{ 403, on_refused },  { 413, on_malformed }, { 422, on_malformed },
};

static void on_done(const struct http_response *response, void *context)
{
	struct uploader *uploader = context;
	if (response->error != 0) {
		back_off(uploader, UPLOADER_WAITING, 0, error_text(&response->words));
		return;
	}
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (actions[i].status == response->status) {
			actions[i].act(uploader, response);
			return;
		}
	}
	on_busy(uploader, response);
}

static void send_next(struct uploader *uploader)
{
	const void *bytes = NULL;
	struct error words = { 0 };
	int rc = spool_peek(uploader->spool, &bytes, &uploader->sent_len, &uploader->sent_records);
	if (rc == 0) {
		uploader->status.state = UPLOADER_IDLE;
		return;
	}
	if (rc < 0) {
		error_set(&words, rc, "cannot read the spool: %s", strerror(-rc));
		back_off(uploader, UPLOADER_WAITING, 0, words.text);
		return;
	}
	rc = uploader->client ? 0 : read_token(uploader, &words);
	if (rc != 0) {
		back_off(uploader, UPLOADER_REFUSED, 0, words.text);
		return;
	}
	rc = uploader->client ? 0 : make_client(uploader, &words);
	uploader->sent_at = clock_real_ns();
	if (rc == 0)
		rc = http_client_send(uploader->client, "POST", INGEST_PATH, INGEST_TYPE, bytes,
				      uploader->sent_len, on_done, uploader);
	if (rc != 0) {
		back_off(uploader, UPLOADER_WAITING, 0,
			 words.text[0] != '\0' ? words.text : strerror(-rc));
		return;
	}
	uploader->status.state = UPLOADER_SENDING;
}

static void on_timer(int fd, short what, void *context)
{
	send_next(context);
}

void uploader_wake(struct uploader *uploader)
{
	if (uploader->status.state == UPLOADER_IDLE && !evtimer_pending(uploader->timer, NULL))
		wait_for(uploader, 0);
}

static int copy_text(char **ret, const char *text)
{
	if (!text || text[0] == '\0')
		return 0;
	*ret = strdup(text);
	return *ret ? 0 : -ENOMEM;
}

int uploader_new(struct uploader **ret, struct event_base *base, struct spool *spool,
		 const struct uploader_options *options, struct error *err)
{
	struct uploader *uploader = calloc(1, sizeof(*uploader));
	if (!uploader)
		return error_set(err, -ENOMEM, "no memory for the uploader");
	uploader->base = base;
	uploader->spool = spool;
	uploader->timeout_ns = options->timeout_ns;
	uploader->backoff_min_ns = options->backoff_min_ns ? options->backoff_min_ns : BACKOFF_MIN;
	uploader->backoff_max_ns = options->backoff_max_ns ? options->backoff_max_ns : BACKOFF_MAX;
	uploader->backoff_ns = uploader->backoff_min_ns;
	uploader->timer = evtimer_new(base, on_timer, uploader);
	int rc = uploader->timer ? 0 : -ENOMEM;
	rc = rc != 0 ? rc : copy_text(&uploader->url, options->url);
	rc = rc != 0 ? rc : copy_text(&uploader->token_file, options->token_file);
	rc = rc != 0 ? rc : copy_text(&uploader->ca_file, options->ca_file);
	if (rc != 0)
		error_set(err, rc, "no memory for the uploader");
	else
		rc = make_client(uploader, err); /* to refuse a bad URL or CA file now */
	if (rc != 0) {
		uploader_free(uploader);
		return rc;
	}
	http_client_free(TAKE_PTR(uploader->client));
	uploader_wake(uploader);
	*ret = uploader;
	return 0;
}

void uploader_free(struct uploader *uploader)
{
	if (!uploader)
		return;
	http_client_free(uploader->client);
	if (uploader->timer)
		event_free(uploader->timer);
	if (uploader->token)
		explicit_bzero(uploader->token, strlen(uploader->token));
	free(uploader->token);
	free(uploader->url);
	free(uploader->token_file);
	free(uploader->ca_file);
	free(uploader);
}

void uploader_status(const struct uploader *uploader, struct uploader_status *ret)
{
	*ret = uploader->status;
}
