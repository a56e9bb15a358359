/* SPDX-License-Identifier: Apache-2.0 */
#include "senders.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zstd.h>

#include "answer.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "due.h"

#define ANSWER_MAX   4096
#define TIMEOUT_NS   ((uint64_t)(30 * NS_PER_S)) /* as agents have it */
#define AGAIN_NS     ((uint64_t)(200 * NS_PER_MS))
#define GRACE_NS     ((uint64_t)(40 * NS_PER_S)) /* for what is under way at the end */
#define EVENTS_MAX   256
#define FIRST_SOURCE 0x7f100000u /* 127.16.0.0 */
#define LEVEL        1           /* of zstd: as agents have it */

enum phase { IDLE, CONNECTING, SENDING, RECEIVING, DONE };

struct sender {
	unsigned index;
	uint64_t batches; /* acknowledged */
	enum phase phase;
	int fd;
	uint64_t due_ns, begun_ns, tried_ns;
	struct work_counts counts; /* of the batch under way */
	struct buffer request;     /* it, kept until it is acknowledged */
	size_t sent, received;
	char answer[ANSWER_MAX + 1];
};

struct senders {
	const struct senders_options *options;
	struct tally *tally;
	struct error *err;
	struct sender *all;
	struct due *due;
	struct buffer batch, packed;
	ZSTD_CCtx *zstd;
	int epoll, rc;
	unsigned busy; /* neither DONE nor waiting for their time */
	uint64_t began_ns, ends_ns;
};

static void hang_up(struct sender *sender)
{
	if (sender->fd >= 0)
		close(sender->fd);
	sender->fd = -1;
}

static void stop(struct senders *senders, struct sender *sender)
{
	hang_up(sender);
	buffer_clear(&sender->request);
	sender->phase = DONE;
	senders->busy--;
}

static void wait_until(struct senders *senders, struct sender *sender, uint64_t at_ns)
{
	sender->phase = IDLE;
	senders->busy--;
	due_add(senders->due, at_ns, sender->index);
}

static void fail(struct senders *senders, struct sender *sender)
{
	senders->tally->errors++;
	hang_up(sender);
	if (senders->options->stop_on_error)
		stop(senders, sender);
	else
		wait_until(senders, sender, clock_monotonic_ns() + AGAIN_NS);
}

static int watch(struct senders *senders, struct sender *sender, int operation, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = sender };

	return epoll_ctl(senders->epoll, operation, sender->fd, &event);
}

/* Packs the next batch of its work into the request. false: there is none. */
static bool make_request(struct senders *senders, struct sender *sender)
{
	const struct senders_options *options = senders->options;
	uint64_t sequence = options->acknowledged[sender->index] + 1;
	size_t len;

	buffer_reset(&senders->batch);
	buffer_reset(&senders->packed);
	sender->counts = (struct work_counts){ 0 };
	if (!options->work->next(options->state, sender->index, sequence, &senders->batch,
				 &sender->counts))
		return false;
	if (!buffer_extend(&senders->packed, ZSTD_compressBound(senders->batch.len)))
		return false;
	len = ZSTD_compress2(senders->zstd, senders->packed.data, senders->packed.len,
			     senders->batch.data, senders->batch.len);
	buffer_reset(&sender->request);
	buffer_printf(&sender->request,
		      "POST /api/v1/ingest HTTP/1.1\r\nHost: lake\r\nAuthorization: Bearer %s\r\n"
		      "Content-Type: application/x-protobuf\r\nContent-Length: %zu\r\n\r\n",
		      options->tokens[sender->index % options->tokens_count], len);
	buffer_append(&sender->request, senders->packed.data, len);
	return !ZSTD_isError(len) && !sender->request.failed && !senders->batch.failed;
}

static void transmit(struct senders *senders, struct sender *sender)
{
	while (sender->sent < sender->request.len) {
		ssize_t n = send(sender->fd, sender->request.data + sender->sent,
				 sender->request.len - sender->sent, MSG_NOSIGNAL);

		if (n < 0 && errno == EAGAIN) {
			watch(senders, sender, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
			return;
		}
		if (n < 0) {
			fail(senders, sender);
			return;
		}
		sender->sent += (size_t)n;
	}
	if (sender->phase != RECEIVING)
		watch(senders, sender, EPOLL_CTL_MOD, EPOLLIN);
	sender->phase = RECEIVING;
}

static void dial(struct senders *senders, struct sender *sender)
{
	struct sockaddr_in source = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(FIRST_SOURCE + senders->options->first + sender->index)
	};
	const struct sockaddr_in *lake = &senders->options->lake;
	int on = 1;

	sender->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (sender->fd < 0 ||
	    setsockopt(sender->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof(on)) ||
	    bind(sender->fd, (const void *)&source, sizeof(source)) ||
	    (connect(sender->fd, (const void *)lake, sizeof(*lake)) && errno != EINPROGRESS) ||
	    watch(senders, sender, EPOLL_CTL_ADD, EPOLLIN | EPOLLOUT))
		fail(senders, sender);
}

static bool is_over(const struct senders *senders, const struct sender *sender, uint64_t now_ns)
{
	uint64_t most = senders->options->batches;

	return now_ns >= senders->ends_ns || (most && sender->batches >= most);
}

/* Sends the batch under way, or the next one. */
static void begin(struct senders *senders, struct sender *sender, uint64_t now_ns)
{
	senders->busy++;
	if (!sender->request.len) {
		if (is_over(senders, sender, now_ns) || !make_request(senders, sender)) {
			stop(senders, sender);
			return;
		}
		sender->begun_ns = senders->options->interval_ns ? sender->due_ns : now_ns;
	}
	sender->tried_ns = now_ns;
	sender->sent = sender->received = 0;
	if (sender->fd < 0) {
		sender->phase = CONNECTING;
		dial(senders, sender);
		return;
	}
	sender->phase = SENDING;
	transmit(senders, sender);
}

static void count(struct senders *senders, struct sender *sender, bool duplicate, uint64_t now_ns)
{
	uint64_t second = (now_ns - senders->began_ns) / (uint64_t)NS_PER_S;
	struct tally *tally = senders->tally;

	tally->batches++;
	tally->duplicates += duplicate;
	tally->bytes += sender->request.len;
	tally->samples += sender->counts.samples;
	tally->executions += sender->counts.executions;
	if (second < TALLY_SECONDS)
		tally->samples_in[second] += sender->counts.samples;
	tally_latency(tally, now_ns - sender->begun_ns);
}

static void acknowledged(struct senders *senders, struct sender *sender, bool duplicate)
{
	uint64_t now_ns = clock_monotonic_ns(), interval_ns = senders->options->interval_ns;

	count(senders, sender, duplicate, now_ns);
	senders->options->acknowledged[sender->index]++;
	sender->batches++;
	buffer_reset(&sender->request);
	sender->due_ns += interval_ns;
	wait_until(senders, sender, interval_ns ? sender->due_ns : now_ns);
}

static void answered(struct senders *senders, struct sender *sender, const struct answer *answer)
{
	if (answer->closes)
		hang_up(sender);
	if (answer->status == 200) {
		acknowledged(senders, sender, answer->duplicate);
	} else if (answer->status == 429 || answer->status == 503) {
		unsigned wait_s = answer->retry_after_s ? answer->retry_after_s : 1;

		senders->tally->refused++;
		wait_until(senders, sender, clock_monotonic_ns() + wait_s * (uint64_t)NS_PER_S);
	} else {
		senders->tally->errors++;
		senders->rc = error_set(senders->err, -EPROTO, "the lake answers a batch with %s",
					sender->answer);
		stop(senders, sender);
	}
}

static void take_answer(struct senders *senders, struct sender *sender)
{
	struct answer answer;
	ssize_t n = recv(sender->fd, sender->answer + sender->received,
			 ANSWER_MAX - sender->received, 0);
	int complete;

	if (n < 0 && errno == EAGAIN)
		return;
	if (sender->phase == IDLE) { /* the lake closed an unused connection */
		hang_up(sender);
		return;
	}
	if (n <= 0) {
		fail(senders, sender);
		return;
	}
	sender->received += (size_t)n;
	sender->answer[sender->received] = '\0';
	complete = answer_read(sender->answer, sender->received, &answer);
	if (complete < 0 || (!complete && sender->received == ANSWER_MAX))
		fail(senders, sender);
	else if (complete)
		answered(senders, sender, &answer);
}

static void handle(struct senders *senders, struct sender *sender, uint32_t events)
{
	if (sender->phase == DONE || sender->fd < 0)
		return;
	if (events & (EPOLLIN | EPOLLHUP | EPOLLERR))
		take_answer(senders, sender);
	if ((events & EPOLLOUT) && (sender->phase == CONNECTING || sender->phase == SENDING) &&
	    sender->fd >= 0) {
		sender->phase = SENDING;
		transmit(senders, sender);
	}
}

/* Gives up requests that nothing answered in time. */
static void check_timeouts(struct senders *senders, uint64_t now_ns)
{
	for (unsigned i = 0; i < senders->options->count; i++) {
		struct sender *sender = &senders->all[i];

		if (sender->phase != IDLE && sender->phase != DONE &&
		    now_ns - sender->tried_ns > TIMEOUT_NS)
			fail(senders, sender);
	}
}

/* Batches that are still not acknowledged so long after the end count as errors. */
static bool give_up(struct senders *senders, uint64_t now_ns)
{
	if (now_ns < senders->ends_ns + GRACE_NS)
		return false;
	for (unsigned i = 0; i < senders->options->count; i++)
		senders->tally->errors += senders->all[i].request.len > 0;
	return true;
}

static int wait_ms(const struct senders *senders, uint64_t now_ns)
{
	uint64_t first_ns = due_first_ns(senders->due);

	if (first_ns <= now_ns)
		return 0;
	if (first_ns == UINT64_MAX || first_ns - now_ns > (uint64_t)NS_PER_S)
		return 1000;
	/* Rounded up: senders that wait must not take the lake's CPUs. */
	return (int)((first_ns - now_ns - 1) / (uint64_t)NS_PER_MS) + 1;
}

static void loop(struct senders *senders)
{
	uint64_t now_ns = clock_monotonic_ns(), checked_ns = now_ns;
	struct epoll_event events[EVENTS_MAX];

	while (!senders->rc && !give_up(senders, now_ns) &&
	       (senders->busy || due_first_ns(senders->due) != UINT64_MAX)) {
		int n = epoll_wait(senders->epoll, events, EVENTS_MAX, wait_ms(senders, now_ns));

		for (int i = 0; i < n; i++)
			handle(senders, events[i].data.ptr, events[i].events);
		now_ns = clock_monotonic_ns();
		for (unsigned i = 0; i < EVENTS_MAX && due_first_ns(senders->due) <= now_ns; i++)
			begin(senders, &senders->all[due_take(senders->due)], now_ns);
		if (now_ns - checked_ns > (uint64_t)NS_PER_S) {
			check_timeouts(senders, now_ns);
			checked_ns = now_ns;
		}
	}
	senders->tally->lasted_s = (double)(now_ns - senders->began_ns) / NS_PER_S;
}

static int prepare(struct senders *senders)
{
	const struct senders_options *options = senders->options;
	uint64_t gap_ns = options->interval_ns / options->count;

	if (!senders->all || !senders->due || !senders->zstd || senders->epoll < 0)
		return error_set(senders->err, -ENOMEM, "no memory for %u agents", options->count);
	ZSTD_CCtx_setParameter(senders->zstd, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(senders->zstd, ZSTD_c_checksumFlag, 1);
	buffer_init(&senders->batch, 0);
	buffer_init(&senders->packed, 0);
	for (unsigned i = 0; i < options->count; i++) {
		struct sender *sender = &senders->all[i];

		sender->index = i;
		sender->fd = -1;
		sender->due_ns = senders->began_ns + i * gap_ns;
		buffer_init(&sender->request, 0);
		due_add(senders->due, sender->due_ns, i);
	}
	return 0;
}

int senders_run(const struct senders_options *options, struct tally *tally, struct error *err)
{
	struct senders senders = { .options = options,
				   .tally = tally,
				   .err = err,
				   .all = calloc(options->count, sizeof(struct sender)),
				   .due = due_new(options->count),
				   .zstd = ZSTD_createCCtx(),
				   .epoll = epoll_create1(EPOLL_CLOEXEC),
				   .began_ns = clock_monotonic_ns() };

	senders.ends_ns = senders.began_ns + options->lasts_ns;
	senders.rc = prepare(&senders);
	if (!senders.rc) {
		loop(&senders);
		for (unsigned i = 0; i < options->count; i++) {
			hang_up(&senders.all[i]);
			buffer_clear(&senders.all[i].request);
		}
		buffer_clear(&senders.batch);
		buffer_clear(&senders.packed);
	}
	closep(&senders.epoll);
	ZSTD_freeCCtx(senders.zstd);
	due_free(senders.due);
	free(senders.all);
	return senders.rc;
}
