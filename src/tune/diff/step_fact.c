/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/diff/step_fact.h"

#include <math.h>
#include <string.h>

#define BIT(factor) DIFF_BIT(DIFF_##factor)
#define COMPUTING   (BIT(SERIAL) | BIT(PARALLEL))
#define PROGRAM                                                                                \
	(COMPUTING | BIT(DISK) | BIT(NETWORK) | BIT(PIPE_READ) | BIT(PIPE_WRITE) | BIT(LOCK) | \
	 BIT(POLL) | BIT(OTHER) | BIT(CHILD) | BIT(SLEEP) | BIT(UNKNOWN))

#define WITH_INPUT \
	(COMPUTING | BIT(DISK) | BIT(NETWORK) | BIT(PIPE_READ) | BIT(PIPE_WRITE) | BIT(UNKNOWN))

#define SHARE_DIFFERS 0.1  /* of the time */
#define BUSY_DIFFERS  1.25 /* CPUs on which it computed */
#define DIFFERS       1.1

struct fact_row;

/* Whether it differs; sets the values and toward. */
typedef bool (*fact_find)(const struct fact_row *row, const struct fact_case *of,
			  struct step_fact *ret);

struct fact_row {
	const char *key, *words;
	enum fact_unit unit;
	unsigned subject;
	uint32_t explains;
	fact_find find;
	size_t at;  /* of a text or number: its place in struct step_side or struct diff_run */
	int toward; /* of what has more of it */
};

static const char *text_at(const void *of, size_t at)
{
	return *(const char *const *)((const char *)of + at);
}

static double number_at(const void *of, size_t at)
{
	return *(const double *)((const char *)of + at);
}

static bool find_text(const struct fact_row *row, const struct fact_case *of, struct step_fact *ret)
{
	ret->from_text = text_at(of->sides[0], row->at);
	ret->to_text = text_at(of->sides[1], row->at);
	return *ret->from_text && *ret->to_text && strcmp(ret->from_text, ret->to_text) != 0;
}

/* Both are known and one is larger by this factor. */
static bool differ(const struct fact_row *row, double least, struct step_fact *ret)
{
	if (ret->from < 0 || ret->to < 0 || (ret->from == 0 && ret->to == 0))
		return false;
	ret->toward = ret->to > ret->from ? row->toward : -row->toward;
	return ret->to > least * ret->from || ret->from > least * ret->to;
}

static bool find_median(const struct fact_row *row, const struct fact_case *of,
			struct step_fact *ret)
{
	ret->from = number_at(of->sides[0], row->at);
	ret->to = number_at(of->sides[1], row->at);
	/* A request of 0 is none. */
	return ret->from > 0 && ret->to > 0 && differ(row, DIFFERS, ret);
}

/* Whether texts are the same but for numbers. */
static bool numbers_differ(const char *one, const char *other)
{
	static const char NUMBER[] = "0123456789.";

	while (*one && *other) {
		size_t len = strspn(one, NUMBER), other_len = strspn(other, NUMBER);

		if (!len != !other_len || (!len && *one != *other))
			return false;
		one += len ? len : 1;
		other += other_len ? other_len : 1;
	}
	return *one == *other;
}

/* Many steps give the CPUs that they ask for to their tool, as an argument. */
static bool find_arguments(const struct fact_row *row, const struct fact_case *of,
			   struct step_fact *ret)
{
	double from = of->sides[0]->figures[SIDE_CPUS_REQUESTED].median;
	double to = of->sides[1]->figures[SIDE_CPUS_REQUESTED].median;
	bool differs = find_text(row, of, ret);

	if (differs && from != to && numbers_differ(ret->from_text, ret->to_text))
		ret->explains = 0;
	return differs;
}

static bool find_busy(const struct fact_row *row, const struct fact_case *of, struct step_fact *ret)
{
	ret->from = number_at(of->sides[0], row->at);
	ret->to = number_at(of->sides[1], row->at);
	return differ(row, BUSY_DIFFERS, ret);
}

static bool find_share(const struct fact_row *row, const struct fact_case *of,
		       struct step_fact *ret)
{
	ret->from = number_at(of->sides[0], row->at);
	ret->to = number_at(of->sides[1], row->at);
	if (ret->from < 0 || ret->to < 0)
		return false;
	ret->toward = ret->to > ret->from ? row->toward : -row->toward;
	return fabs(ret->to - ret->from) >= SHARE_DIFFERS;
}

/* Where tasks of the step show how much it matters, it counts as a factor of its own. Else it
 * explains no more than a time that grows with its square. */
static bool find_input(const struct fact_row *row, const struct fact_case *of,
		       struct step_fact *ret)
{
	double wall =
		of->sides[1]->figures[SIDE_WALL].median / of->sides[0]->figures[SIDE_WALL].median;
	bool differs = find_median(row, of, ret);

	if (of->slope->ns_per_byte >= 0 ||
	    (differs && !(fabs(log(wall)) <= 2 * fabs(log(ret->to / ret->from)))))
		ret->explains = 0;
	return differs;
}

static bool find_failed(const struct fact_row *row, const struct fact_case *of,
			struct step_fact *ret)
{
	ret->from = (double)of->sides[0]->failed;
	ret->to = (double)of->sides[1]->failed;
	return differ(row, 1, ret);
}

static bool find_of_run(const struct fact_row *row, const struct fact_case *of,
			struct step_fact *ret)
{
	ret->from = number_at(of->runs[0], row->at);
	ret->to = number_at(of->runs[1], row->at);
	return ret->from > 0 && ret->to > 0 && differ(row, DIFFERS, ret);
}

#define SIDE(member)    offsetof(struct step_side, member)
#define MEDIAN(figure)  offsetof(struct step_side, figures[figure].median)
#define OF_RUN(member)  offsetof(struct diff_run, member)
#define THREADS_SUBJECT 1
#define HOST_SUBJECT    2

/* The subjects from 3 on are those of one row. */
static const struct fact_row FACTS[] = {
	[FACT_RUNNABLE] = { "runnable_share", "of the time it waited for a free CPU", FACT_SHARE, 3,
			    BIT(RUNNABLE), find_share, SIDE(runnable_share), 1 },
	[FACT_SHARED_DISK] = { "shared_disk_share",
			       "of waiting for files on file systems of other machines", FACT_SHARE,
			       4, BIT(DISK), find_share, SIDE(shared_disk), 1 },
	[FACT_TOOLS] = { "tools", "tools", FACT_TEXT, 5, PROGRAM, find_text, SIDE(tools), 0 },
	[FACT_ARGUMENTS] = { "arguments", "arguments", FACT_TEXT, 6, PROGRAM, find_arguments,
			     SIDE(arguments), 0 },
	[FACT_CPUS_REQUESTED] = { "cpus_requested", "requested CPUs", FACT_COUNT, THREADS_SUBJECT,
				  COMPUTING | BIT(UNKNOWN), find_median,
				  MEDIAN(SIDE_CPUS_REQUESTED), -1 },
	[FACT_BUSY_CPUS] = { "busy_cpus", "CPUs on which it computed", FACT_COUNT, FACT_SYMPTOM,
			     COMPUTING, find_busy, SIDE(busy_cpus), -1 },
	[FACT_HOST_TYPE] = { "host_type", "type of the host", FACT_TEXT, HOST_SUBJECT,
			     COMPUTING | BIT(DISK) | BIT(NETWORK) | BIT(RUNNABLE) | BIT(PAGING) |
				     BIT(UNKNOWN),
			     find_text, SIDE(host_type), 0 },
	[FACT_HOST_CPUS] = { "host_cpus", "CPUs of the host", FACT_COUNT, HOST_SUBJECT,
			     BIT(PARALLEL) | BIT(RUNNABLE), find_median, MEDIAN(SIDE_HOST_CPUS),
			     -1 },
	[FACT_HOST_MEMORY] = { "host_memory_bytes", "memory of the host", FACT_BYTES, HOST_SUBJECT,
			       BIT(PAGING) | BIT(DISK), find_median, MEDIAN(SIDE_HOST_MEMORY), -1 },
	[FACT_MEMORY_REQUESTED] = { "memory_requested_bytes", "requested memory", FACT_BYTES, 7,
				    BIT(PAGING), find_median, MEDIAN(SIDE_MEMORY_REQUESTED), -1 },
	[FACT_INPUT] = { "input_bytes", "input", FACT_BYTES, 8, WITH_INPUT, find_input,
			 MEDIAN(SIDE_INPUT), 1 },
	[FACT_FAILED] = { "failed", "failed attempts", FACT_COUNT, 9, BIT(TASKS) | BIT(WAITING),
			  find_failed, 0, 1 },
	[FACT_SLOTS] = { "slots", "tasks' CPUs at the same time, in the run", FACT_COUNT, 10,
			 BIT(WAITING), find_of_run, OF_RUN(slots), -1 },
	[FACT_RUN_CPUS] = { "run_cpus", "CPUs of the run's hosts", FACT_COUNT, 10, BIT(WAITING),
			    find_of_run, OF_RUN(cpus), -1 },
};

size_t step_facts_find(const struct fact_case *of, struct step_fact ret[STEP_FACTS])
{
	size_t count = 0;

	for (enum step_fact_kind kind = 0; kind < STEP_FACTS; kind++) {
		const struct fact_row *row = &FACTS[kind];
		struct step_fact fact = { .kind = kind, .explains = row->explains };

		if (row->find(row, of, &fact))
			ret[count++] = fact;
	}
	return count;
}

const char *step_fact_key(enum step_fact_kind kind)
{
	return FACTS[kind].key;
}

const char *step_fact_words(enum step_fact_kind kind)
{
	return FACTS[kind].words;
}

enum fact_unit step_fact_unit(enum step_fact_kind kind)
{
	return FACTS[kind].unit;
}

unsigned step_fact_subject(enum step_fact_kind kind)
{
	return FACTS[kind].subject;
}
