/* SPDX-License-Identifier: Apache-2.0 */
#include "ship/uploader.h"

#include <errno.h>
#include <event2/event.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/http/http.h"
#include "base/log.h"
#include "ship/lake_client.h"
#include "ship/spool.h"

#define BACKOFF_MIN       (1 * NS_PER_S)
#define BACKOFF_MAX       (30 * NS_PER_S)
#define RETRY_AFTER_MAX_S 300 /* a longer Retry-After is cut to this */
#define DETAIL_SIZE       300 /* of the lake's words */
#define INGEST_PATH       "/api/v1/ingest"
#define CLOCK_NS          (600 * NS_PER_S) /* a measured clock offset is replaced after this */
#define INGEST_TYPE       "application/x-protobuf"

struct uploader {
	struct event_base *base;
	struct spool *spool;
	struct lake_client *lake;
	uint64_t backoff_min_ns, backoff_max_ns, backoff_ns;
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
		log_info("the lake at %s takes batches again", lake_client_url(uploader->lake));
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

/* What the lake says in its problem document, as far as it is plain: it may be a proxy's. */
static void read_detail(const struct http_response *response, char text[DETAIL_SIZE])
{
	CLEANUP(json_decrefp)
	json_t *problem = json_loadb(response->body, response->body_len, 0, NULL);
	const char *detail = json_string_value(json_object_get(problem, "detail"));
	snprintf(text, DETAIL_SIZE, "%s%s", detail ? ": " : "", detail ? detail : "");
	for (char *at = text; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = ' ';
}

/* The token file may hold another token by the next try. */
static void on_refused(struct uploader *uploader, const struct http_response *response)
{
	const char *file = lake_client_token_file(uploader->lake);
	char detail[DETAIL_SIZE];
	struct error words;
	read_detail(response, detail);
	error_set(&words, 0, "the lake refuses the token%s%s (HTTP %d)%s", file ? " in " : "",
		  file ? file : "", response->status, detail);
	lake_client_drop(uploader->lake);
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
		if (response->error == -EPROTO) /* of TLS: there may be other files by then */
			lake_client_drop(uploader->lake);
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
	struct http_client *client = NULL;
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
	rc = lake_client_get(uploader->lake, &client, &words);
	if (rc == -ENOKEY) {
		back_off(uploader, UPLOADER_REFUSED, 0, words.text);
		return;
	}
	uploader->sent_at = clock_real_ns();
	if (rc == 0)
		rc = http_client_send(client, "POST", INGEST_PATH, INGEST_TYPE, bytes,
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

int uploader_new(struct uploader **ret, struct event_base *base, struct spool *spool,
		 const struct uploader_options *options, struct error *err)
{
	struct uploader *uploader = calloc(1, sizeof(*uploader));
	if (!uploader)
		return error_set(err, -ENOMEM, "no memory for the uploader");
	uploader->base = base;
	uploader->spool = spool;
	uploader->backoff_min_ns = options->backoff_min_ns ? options->backoff_min_ns : BACKOFF_MIN;
	uploader->backoff_max_ns = options->backoff_max_ns ? options->backoff_max_ns : BACKOFF_MAX;
	uploader->backoff_ns = uploader->backoff_min_ns;
	uploader->timer = evtimer_new(base, on_timer, uploader);
	int rc = uploader->timer ? 0 : error_set(err, -ENOMEM, "no memory for the uploader");
	if (rc == 0)
		rc = lake_client_new(&uploader->lake, base, options, err);
	if (rc != 0) {
		uploader_free(uploader);
		return rc;
	}
	uploader_wake(uploader);
	*ret = uploader;
	return 0;
}

void uploader_free(struct uploader *uploader)
{
	if (!uploader)
		return;
	lake_client_free(uploader->lake);
	if (uploader->timer)
		event_free(uploader->timer);
	free(uploader);
}

void uploader_status(const struct uploader *uploader, struct uploader_status *ret)
{
	*ret = uploader->status;
}
