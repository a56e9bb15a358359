/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simulated agents that send to a lake: see usage(). Prints one line of JSON (tally.h). Exit status
 * 1: the lake refuses batches for good.
 */
#include <arpa/inet.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "senders.h"

#define TOKENS_MAX 16384
#define FD_SPARE   64

static const struct work *const WORKS[] = { &WORK_SAMPLES, &WORK_IDLE, &WORK_RECORDED,
					    &WORK_HISTORY };

struct load {
	struct senders_options senders;
	struct work_options work;
	const char *token_file, *acknowledged_file;
	double ago_s;
	bool counts;
	char *tokens[TOKENS_MAX];
};

static const struct option OPTIONS[] = {
	{ "port", required_argument, NULL, 'p' },
	{ "token-file", required_argument, NULL, 't' },
	{ "work", required_argument, NULL, 'w' },
	{ "agents", required_argument, NULL, 'a' },
	{ "first-agent", required_argument, NULL, 'n' },
	{ "rows", required_argument, NULL, 'r' },
	{ "processes", required_argument, NULL, 'c' },
	{ "life", required_argument, NULL, 'l' },
	{ "interval", required_argument, NULL, 'i' },
	{ "batches", required_argument, NULL, 'm' },
	{ "seconds", required_argument, NULL, 's' },
	{ "ago", required_argument, NULL, 'g' },
	{ "began-at", required_argument, NULL, 'b' },
	{ "recorded", required_argument, NULL, 'f' },
	{ "acknowledged", required_argument, NULL, 'k' },
	{ "counts", no_argument, NULL, 'q' },
	{ 0 },
};

static void need(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "%s\n", what);
	exit(2);
}

static int usage(void)
{
	printf("load --port PORT --token-file FILE --work WORK [OPTION…]\n\n"
	       "  --port PORT          of the lake, at 127.0.0.1\n"
	       "  --token-file FILE    ingest tokens, one a line: agent i has the i-th, counted around\n"
	       "  --agents N           agents, each on a connection of its own (64)\n"
	       "  --rows N             samples in a batch (200); of history: in all, in thousands\n"
	       "  --processes N        of each agent, alive at once (200)\n"
	       "  --life N             samples of each process, then another begins; 0: no end (0)\n"
	       "  --interval SECONDS   between two batches of an agent; 0: as fast as it can (0)\n"
	       "  --seconds SECONDS    for how long (10)\n"
	       "  --batches N          of each agent, at most (no limit)\n"
	       "  --ago SECONDS        how long ago the work began (0)\n"
	       "  --began-at NS        the same, as nanoseconds since the epoch\n"
	       "  --recorded FOLDER    the recorded runs (tests/data/runs)\n"
	       "  --acknowledged FILE  the last sequence of each agent, one a line: read if it is\n"
	       "                       there, written at the end; the first failed connection of an\n"
	       "                       agent is its end\n"
	       "  --counts             sends nothing, and prints what the batches of the work hold:\n"
	       "                       agent, sequence, samples and executions up to it\n\nworks:\n");
	for (size_t i = 0; i < sizeof(WORKS) / sizeof(WORKS[0]); i++)
		printf("  %-10s %s\n", WORKS[i]->name, WORKS[i]->help);
	return 2;
}

static const struct work *work_named(const char *name)
{
	for (size_t i = 0; i < sizeof(WORKS) / sizeof(WORKS[0]); i++)
		if (strcmp(WORKS[i]->name, name) == 0)
			return WORKS[i];
	return NULL;
}

static unsigned count(const char *text)
{
	unsigned long value = strtoul(text, NULL, 10);

	need(value <= 1000000000, "a number is too large");
	return (unsigned)value;
}

static bool take_text(struct load *load, int option)
{
	switch (option) {
	case 'p':
		load->senders.lake.sin_port = htons((in_port_t)count(optarg));
		return true;
	case 't':
		load->token_file = optarg;
		return true;
	case 'w':
		load->senders.work = work_named(optarg);
		return load->senders.work != NULL;
	case 'f':
		load->work.folder = optarg;
		return true;
	case 'k':
		load->acknowledged_file = optarg;
		load->senders.stop_on_error = true;
		return true;
	default:
		return false;
	}
}

static bool take_number(struct load *load, int option)
{
	switch (option) {
	case 'a':
		load->work.agents = count(optarg);
		return load->work.agents > 0;
	case 'n':
		load->work.first_agent = count(optarg);
		return true;
	case 'r':
		load->work.rows = count(optarg);
		return true;
	case 'c':
		load->work.processes = count(optarg);
		return load->work.processes > 0;
	case 'l':
		load->work.life = count(optarg);
		return true;
	case 'i':
		load->senders.interval_ns = (uint64_t)(strtod(optarg, NULL) * 1e9);
		return true;
	case 'm':
		load->senders.batches = count(optarg);
		return true;
	case 's':
		load->senders.lasts_ns = (uint64_t)(strtod(optarg, NULL) * 1e9);
		return true;
	case 'g':
		load->ago_s = strtod(optarg, NULL);
		return true;
	case 'b':
		load->work.began_at = strtoll(optarg, NULL, 10);
		return true;
	case 'q':
		load->counts = true;
		return true;
	default:
		return false;
	}
}

static void read_tokens(struct load *load)
{
	FILE *file = load->token_file ? fopen(load->token_file, "re") : NULL;
	char line[256];

	need(file != NULL, "the token file cannot be read");
	while (load->senders.tokens_count < TOKENS_MAX && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\r\n")] = '\0';
		if (*line)
			load->tokens[load->senders.tokens_count++] = strdup(line);
	}
	fclose(file);
	need(load->senders.tokens_count > 0, "the token file is empty");
	load->senders.tokens = load->tokens;
}

static void read_acknowledged(const struct load *load)
{
	FILE *file = load->acknowledged_file ? fopen(load->acknowledged_file, "re") : NULL;

	for (unsigned i = 0; file && i < load->work.agents; i++) {
		char line[32];

		if (fgets(line, sizeof(line), file))
			load->senders.acknowledged[i] = strtoull(line, NULL, 10);
	}
	if (file)
		fclose(file);
}

static void write_acknowledged(const struct load *load)
{
	FILE *file = load->acknowledged_file ? fopen(load->acknowledged_file, "we") : NULL;

	for (unsigned i = 0; file && i < load->work.agents; i++)
		fprintf(file, "%" PRIu64 "\n", load->senders.acknowledged[i]);
	if (file)
		fclose(file);
}

static void allow_connections(unsigned agents)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	need(limit.rlim_cur > agents + FD_SPARE, "not so many connections are allowed: ulimit -n");
}

static void begin_work(struct load *load)
{
	struct error err = { 0 };

	if (!load->work.began_at)
		load->work.began_at = clock_real_ns() - (int64_t)(load->ago_s * 1e9);
	load->senders.state = load->senders.work->open(&load->work, &err);
	need(load->senders.state != NULL, error_text(&err));
}

/* Of a work that ends. */
static int print_counts(struct load *load)
{
	const struct work *work = load->senders.work;
	struct buffer batch;

	begin_work(load);
	buffer_init(&batch, 0);
	for (unsigned agent = 0; agent < load->work.agents; agent++) {
		struct work_counts sum = { 0 };

		for (uint64_t sequence = 1;; sequence++) {
			buffer_reset(&batch);
			if (!work->next(load->senders.state, agent, sequence, &batch, &sum))
				break;
			printf("%u %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", agent, sequence,
			       sum.samples, sum.executions);
		}
	}
	buffer_clear(&batch);
	work->close(load->senders.state);
	return 0;
}

static int run(struct load *load)
{
	static struct tally tally;
	struct error err = { 0 };
	int rc;

	load->senders.count = load->work.agents;
	load->senders.first = load->work.first_agent;
	load->senders.acknowledged = calloc(load->work.agents, sizeof(uint64_t));
	need(load->senders.acknowledged != NULL, "no memory");
	read_acknowledged(load);
	begin_work(load);
	rc = senders_run(&load->senders, &tally, &err);
	if (rc)
		fprintf(stderr, "%s\n", error_text(&err));
	write_acknowledged(load);
	tally_write(&tally, stdout);
	tally_clear(&tally);
	load->senders.work->close(load->senders.state);
	free(load->senders.acknowledged);
	return rc ? 1 : 0;
}

int main(int argc, char **argv)
{
	static struct load load = {
		.senders = { .lake = { .sin_family = AF_INET }, .lasts_ns = 10000000000 },
		.work = { .agents = 64,
			  .rows = 200,
			  .processes = 200,
			  .folder = "tests/data/runs" },
	};
	int option;

	load.senders.lake.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	while ((option = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1)
		if (!take_text(&load, option) && !take_number(&load, option))
			return usage();
	if (!load.senders.work || optind != argc)
		return usage();
	if (load.counts)
		return print_counts(&load);
	read_tokens(&load);
	allow_connections(load.work.agents);
	return run(&load);
}
