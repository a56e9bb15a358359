/* SPDX-License-Identifier: Apache-2.0 */
#include <event2/event.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <jansson.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <cmocka.h>

#include "base/file.h"
#include "fixture_lake.h"
#include "ship/uploader.h"
#include "ship/spool.h"
#include "signal/batch.h"
#include "signal/recording.h"
#include "wait.h"

/*
 * A lake is upgraded while an agent sends: the file is one that an earlier version left
 * (tests/data/stores), with recorded runs in it; the spool and uploader of an agent send on while
 * the lake is away, brings the file up to date, is killed, and starts again. The first batches that
 * it sends are in the file already: their acknowledgement was lost.
 */
#define DATA         TESTS_DIR "/data/"
#define STORE_SIZE   (64u << 20)
#define RUN          "run-of-the-upgrade"
#define HOST         "host-of-the-upgrade"
#define EXECUTIONS   3 /* of a batch, and as many samples */
#define USER_NS      1000
#define PAUSE_US     20000 /* between two batches */
#define MADE_MOST    20000
#define BATCHES_MOST 300 /* in recordings */

/* What the file has: see tests/unit/lake/keep/test_migrate.c. */
static const char *const RECORDINGS[] = { "runs/demo.rec", "runs/nextflow_failed.rec",
					  "runs/restarted.rec" };

struct agent {
	pthread_t thread;
	const struct lake *lake;
	struct event_base *base;
	struct spool *spool;
	struct uploader *uploader;
	struct event *timer;
	int64_t began_at;
	uint64_t resent; /* batches that the file has */
	_Atomic bool stop;
	_Atomic uint64_t made, delivered, waiting; /* made: new ones */
	struct uploader_status end;
	uint64_t lost;
};

static void put(struct agent *agent, uint64_t sequence, const Signal__Batch *batch)
{
	struct buffer bytes;

	buffer_init(&bytes, BATCH_PACKED_LIMIT);
	assert_int_equal(batch_pack(batch, &bytes), 0);
	assert_int_equal(spool_append(agent->spool, SPOOL_LIFECYCLE, sequence, batch_records(batch),
				      bytes.data, bytes.len),
			 0);
	assert_int_equal(spool_sync(agent->spool), 0);
	buffer_clear(&bytes);
}

/* The batches of recordings, each once: some are in two of them. */
struct batches {
	char names[BATCHES_MOST][100];
	uint64_t count;
};

static void note(struct batches *batches, const Signal__Batch *batch)
{
	char name[100];

	snprintf(name, sizeof(name), "%s %s %" PRIu64, batch->agent_id, batch->boot_id,
		 batch->sequence);
	for (uint64_t i = 0; i < batches->count; i++)
		if (strcmp(batches->names[i], name) == 0)
			return;
	assert_true(batches->count < BATCHES_MOST);
	strcpy(batches->names[batches->count++], name);
}

/* Adds those of a recording; agent: puts them into its spool, too (NULL: no). */
static void read_recorded(const char *name, struct batches *batches, struct agent *agent)
{
	struct recording *recording = NULL;
	char path[160], *bytes = NULL;
	Signal__Batch *batch;
	size_t len;

	snprintf(path, sizeof(path), DATA "%s", name);
	assert_int_equal(file_read(AT_FDCWD, path, RECORDING_LIMIT, &bytes, &len), 0);
	assert_int_equal(recording_open(&recording, bytes, len, NULL), 0);
	while (recording_next(recording, &batch, NULL) == 1) {
		note(batches, batch);
		if (agent)
			put(agent, spool_next_sequence(agent->spool, "boot"), batch);
		batch_free(batch);
	}
	recording_close(recording);
	free(bytes);
}

/* A batch of some new processes of one run, with a sample of each. */
struct made {
	Signal__Batch batch;
	Signal__Run run, *runs[1];
	Signal__Execution executions[EXECUTIONS], *execution_list[EXECUTIONS];
	Signal__Sample samples[EXECUTIONS], *sample_list[EXECUTIONS];
	Signal__Figures figures[EXECUTIONS];
};

static void make_process(struct made *made, size_t i, uint64_t sequence, int64_t at)
{
	Signal__Execution *execution = &made->executions[i];
	Signal__Sample *sample = &made->samples[i];

	signal__execution__init(execution);
	signal__sample__init(sample);
	signal__figures__init(&made->figures[i]);
	made->figures[i].user_ns = USER_NS;
	execution->pid = sample->pid = (uint32_t)(sequence * EXECUTIONS + i);
	execution->start_ns = sample->start_ns = execution->pid * UINT64_C(1000);
	execution->run_id = sample->run_id = RUN;
	execution->tool = "tool";
	execution->status = "succeeded";
	execution->started_at = sample->since_at = at;
	execution->ended_at = sample->until_at = at + NS_PER_S;
	execution->wall_ns = NS_PER_S;
	execution->figures = sample->figures = &made->figures[i];
	made->execution_list[i] = execution;
	made->sample_list[i] = sample;
}

static void make(struct made *made, struct agent *agent, uint64_t sequence)
{
	int64_t at = agent->began_at + (int64_t)sequence * NS_PER_MS;

	signal__batch__init(&made->batch);
	signal__run__init(&made->run);
	made->batch.host_id = HOST;
	made->batch.agent_id = (char *)(uintptr_t)spool_agent_id(agent->spool);
	made->batch.boot_id = "boot";
	made->batch.sequence = sequence;
	made->batch.created_at = clock_real_ns();
	made->run.run_id = made->run.name = RUN;
	made->run.status = "running";
	made->run.started_at = agent->began_at;
	made->runs[0] = &made->run;
	for (size_t i = 0; i < EXECUTIONS; i++)
		make_process(made, i, sequence, at);
	made->batch.runs = made->runs;
	made->batch.n_runs = 1;
	made->batch.executions = made->execution_list;
	made->batch.samples = made->sample_list;
	made->batch.n_executions = made->batch.n_samples = EXECUTIONS;
}

/* Every 20 ms: a new batch, until it is to stop; then the end, once all is delivered. */
static void on_timer(evutil_socket_t fd, short events, void *context)
{
	struct agent *agent = context;

	if (!agent->stop && agent->made < MADE_MOST) {
		uint64_t sequence = spool_next_sequence(agent->spool, "boot");
		struct made made;

		make(&made, agent, sequence);
		put(agent, sequence, &made.batch);
		uploader_wake(agent->uploader);
		agent->made++;
	}
	uploader_status(agent->uploader, &agent->end);
	agent->waiting = spool_entries(agent->spool);
	agent->delivered = agent->end.batches;
	if (agent->stop && !agent->waiting)
		event_base_loopbreak(agent->base);
}

static void *send_all(void *context)
{
	const struct timeval pause = { .tv_usec = PAUSE_US };
	struct agent *agent = context;
	struct batches resent = { 0 };
	char folder[96], token[96];
	struct uploader_options options = { .url = agent->lake->url,
					    .token_file = token,
					    .backoff_min_ns = 20 * NS_PER_MS,
					    .backoff_max_ns = 200 * NS_PER_MS };

	snprintf(folder, sizeof(folder), "%s/spool", agent->lake->folder);
	snprintf(token, sizeof(token), "%s/tokens/admin", agent->lake->folder);
	agent->base = event_base_new();
	assert_int_equal(spool_open(&agent->spool, folder, UINT64_C(1) << 30, NULL), 0);
	read_recorded(RECORDINGS[0], &resent, agent);
	agent->resent = resent.count;
	assert_int_equal(uploader_new(&agent->uploader, agent->base, agent->spool, &options, NULL),
			 0);
	agent->timer = event_new(agent->base, -1, EV_PERSIST, on_timer, agent);
	event_add(agent->timer, &pause);
	event_base_dispatch(agent->base);
	agent->lost = spool_lost_batches(agent->spool);
	event_free(agent->timer);
	uploader_free(agent->uploader);
	spool_close(agent->spool);
	event_base_free(agent->base);
	return NULL;
}

/* In place of what a lake that was stopped has. */
static void take_store(const struct lake *lake, const char *from)
{
	char path[128], *packed = NULL, *bytes = malloc(STORE_SIZE);
	size_t len, size;

	assert_non_null(bytes);
	assert_int_equal(file_read(AT_FDCWD, from, STORE_SIZE, &packed, &len), 0);
	size = ZSTD_decompress(bytes, STORE_SIZE, packed, len);
	assert_false(ZSTD_isError(size));
	snprintf(path, sizeof(path), "%s/lake", lake->folder);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/lake/tracer.duckdb", lake->folder);
	assert_int_equal(file_write(path, bytes, size, 0600, NULL), 0);
	free(packed);
	free(bytes);
}

static uint64_t metric(const struct lake *lake, const char *name)
{
	struct answer answer;
	char line[80];
	const char *at;
	uint64_t value;

	snprintf(line, sizeof(line), "\n%s ", name);
	lake_ask(lake, "GET", "/metrics", lake->read, NULL, NULL, 0, &answer);
	assert_int_equal(answer.status, 200);
	at = strstr(answer.body.data, line);
	if (!at)
		fail_msg("no metric %s", name);
	value = strtoull(at + strlen(line), NULL, 10);
	answer_clear(&answer);
	return value;
}

static void assert_figure(const json_t *totals, const char *name, uint64_t expected)
{
	assert_int_equal(json_integer_value(json_object_get(totals, name)), expected);
}

/* Each acknowledged batch is there once, and so are the recorded runs. */
static void assert_all_there(const struct lake *lake, const struct agent *agent)
{
	struct batches recorded = { 0 };
	json_t *answer = lake_get(lake, "/api/v1/runs/" RUN, 200);
	const json_t *totals = json_object_get(answer, "totals");

	for (size_t i = 0; i < sizeof(RECORDINGS) / sizeof(RECORDINGS[0]); i++)
		read_recorded(RECORDINGS[i], &recorded, NULL);
	assert_int_equal(metric(lake, "tracer_store_batches"), recorded.count + agent->made);
	assert_figure(totals, "executions", agent->made * EXECUTIONS);
	assert_figure(totals, "user_ns", agent->made * EXECUTIONS * USER_NS);
	json_decref(answer);
	answer = lake_get(lake, "/api/v1/runs", 200);
	assert_int_equal(json_array_size(json_object_get(answer, "runs")), 4);
	json_decref(answer);
	assert_int_equal(agent->end.rejected_batches, 0);
	assert_int_equal(agent->lost, 0);
	assert_true(agent->end.duplicates >= agent->resent);
}

static void wait_for_batches(struct agent *agent, uint64_t more)
{
	uint64_t wanted = agent->delivered + more;

	WAIT_FOR(agent->delivered >= wanted, "batches that are acknowledged");
}

static void upgrade_from(const char *store)
{
	char listen[32], check[256];
	const char *const extra[] = { listen, NULL };
	struct agent agent = { .began_at = clock_real_ns() - 60 * NS_PER_S };
	struct lake lake;

	lake_make(&lake);
	lake_start(&lake, NULL); /* makes tokens, and finds a port */
	snprintf(listen, sizeof(listen), "--listen=127.0.0.1:%u", lake.port);
	assert_int_equal(lake_stop(&lake), 0);
	lake_forget(&lake);
	take_store(&lake, store);
	agent.lake = &lake;
	assert_int_equal(pthread_create(&agent.thread, NULL, send_all, &agent), 0);
	WAIT_FOR(agent.made >= 10, "batches that wait for the lake");
	lake_start(&lake, extra);
	wait_for_batches(&agent, agent.resent + 10);
	lake_kill(&lake);
	lake_start(&lake, extra);
	wait_for_batches(&agent, 10);
	agent.stop = true;
	assert_int_equal(pthread_join(agent.thread, NULL), 0);
	assert_all_there(&lake, &agent);
	assert_int_equal(lake_stop(&lake), 0);
	snprintf(check, sizeof(check),
		 "%s check --data-folder=%s/lake --tokens-folder=%s/tokens >/dev/null", TRACER_LAKE,
		 lake.folder, lake.folder);
	assert_int_equal(system(check), 0); // NOLINT(cert-env33-c)
	lake_remove(&lake);
}

/* That no other is earlier than, or that no other is later than. */
static bool is_first_or_last(const glob_t *found, size_t at)
{
	bool earlier = false, later = false;

	for (size_t i = 0; i < found->gl_pathc; i++) {
		int order = strverscmp(found->gl_pathv[i], found->gl_pathv[at]);

		earlier = earlier || order < 0;
		later = later || order > 0;
	}
	return !earlier || !later;
}

/* The first version and the last one; with TRACER_LONG in the environment each. (That each is
 * upgraded is held by tests/unit/lake/keep/test_migrate.c.) */
static void an_agent_sends_on_while_an_earlier_store_is_upgraded(void **state)
{
	glob_t found = { 0 };

	assert_int_equal(glob(DATA "stores/*.duckdb.zst", 0, NULL, &found), 0);
	assert_true(found.gl_pathc > 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		if (getenv("TRACER_LONG") || is_first_or_last(&found, i))
			upgrade_from(found.gl_pathv[i]);
	globfree(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_agent_sends_on_while_an_earlier_store_is_upgraded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
