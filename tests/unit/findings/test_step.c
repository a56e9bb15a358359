/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "findings/finders.h"
#include "findings/steps.h"
#include "tune/size/size.h"

#define S    1000000000ull
#define MIB  ((uint64_t)1 << 20)
#define MOST 64

/*
 * A task a line: step, name, state (ok failed running), CPUs asked, MiB asked, MiB at the peak,
 * CPU seconds, wall seconds, who asked ("-": none). What is found, a finding a line: kind,
 * severity, step, tasks concerned, what is advised (MB or CPUs).
 */
static const struct {
	const char *name, *engine, *tasks, *found, *advice;
} cases[] = {
	{ "asked for eight GiB and used three hundred MiB", "snakemake",
	  "align s1 ok 0 8192 300 10 10 cgroup", "memory_overrequested warning align 1 400",
	  "Write `resources: mem_mb=400` in its rule, and `--memory=400m` in its container's "
	  "limits." },
	{ "one sample of six asked for more than the others", "snakemake",
	  "align s1 ok 1 512 300 9 10 tracer_run\nalign s2 ok 1 512 310 9 10 tracer_run\n"
	  "align s3 ok 1 8192 290 9 10 tracer_run\nalign s4 ok 1 512 280 9 10 tracer_run",
	  "memory_overrequested warning align 1 400",
	  "Write `resources: mem_mb=400` in its rule, and `tracer run --memory 400M` where it is "
	  "started." },
	{ "asked for by itself", "tracer run", "work w ok 0 4096 1 1 10 tracer_run",
	  "memory_overrequested warning work 1 100",
	  "Write `tracer run --memory 100M` where it is started." },
	{ "an engine that is not known", "make", "work w ok 0 4096 1 1 10 -",
	  "memory_overrequested warning work 1 100", "Ask for 100 MB of memory." },
	{ "in nextflow's words", "nextflow", "work w ok 0 4096 1 1 10 -",
	  "memory_overrequested warning work 1 100", "Write `memory = '100 MB'` in its process." },
	{ "twice of what is advised is worth a word", "snakemake", "a t ok 0 1150 400 1 10 -",
	  "memory_overrequested info a 1 600", NULL },
	{ "a little less than twice is caution", "snakemake", "a t ok 0 1140 400 1 10 -", "",
	  NULL },
	{ "small sums are not worth a person's time", "snakemake", "a t ok 0 340 4 1 10 -", "",
	  NULL },
	{ "the neediest task decides for all", "snakemake",
	  "a t1 ok 0 4096 100 1 10 -\na t2 ok 0 4096 3000 1 10 -", "", NULL },
	{ "a failed task shows what was needed, not what to cut", "snakemake",
	  "a t1 failed 0 4096 100 1 10 -\nb t2 failed 0 4096 3000 1 10 -\nb t3 ok 0 4096 100 1 10 -",
	  "", NULL },
	{ "a running task says nothing yet", "snakemake", "a t1 running 8 8192 100 1 10 -", "",
	  NULL },
	{ "a peak that is not known is no reason", "snakemake", "a t1 ok 0 8192 0 1 10 -", "",
	  NULL },
	{ "no request", "snakemake", "a t1 ok 0 0 100 100 10 -", "", NULL },
	{ "four CPUs asked, one busy", "snakemake", "a t ok 4 0 10 10 10 -",
	  "cpus_overrequested warning a 1 1", "Write `threads: 1` in its rule." },
	{ "two CPUs asked, one busy", "tracer run", "a t ok 2 0 10 9 10 tracer_run",
	  "cpus_overrequested info a 1 1", "Write `tracer run --cpus 1` where it is started." },
	{ "a helper thread's quarter asks for no CPU more", "snakemake", "a t ok 4 0 10 12.4 10 -",
	  "cpus_overrequested warning a 1 1", NULL },
	{ "more than that does", "snakemake", "a t ok 4 0 10 12.6 10 -",
	  "cpus_overrequested warning a 1 2", NULL },
	{ "three of four is used", "snakemake", "a t ok 4 0 10 29 10 -", "", NULL },
	{ "less than a second is all start and end", "snakemake", "a t ok 4 0 10 0.1 0.9 -", "",
	  NULL },
	{ "whoever had the whole host might have used more", "snakemake",
	  "a t1 ok 64 0 10 130 10 -\na t2 ok 64 0 10 10 10 -", "", NULL },
	{ "both, and by step in the order of appearance", "snakemake",
	  "z t1 ok 8 9000 100 10 10 -\nb t2 ok 1 10 5 10 10 -\na t3 ok 4 9000 100 10 10 -\n"
	  "z t4 ok 8 9000 100 10 10 -",
	  "memory_overrequested warning z 2 200\nmemory_overrequested warning a 1 200\n"
	  "cpus_overrequested warning z 2 1\ncpus_overrequested warning a 1 1",
	  NULL },
	{ "no tasks", "snakemake", "", "", NULL },
};

struct scene {
	char texts[MOST][3][32]; /* step, name, who */
	struct finding_task tasks[MOST];
	size_t task_count;
	struct finding_run run;
	struct findings findings;
};

static void read_task(struct scene *scene, const char *line)
{
	size_t i = scene->task_count++;
	struct finding_task *task = &scene->tasks[i];
	char state[16];
	double cpus, asked, peak, cpu_s, wall_s;
	assert_int_equal(sscanf(line, "%31s %31s %15s %lf %lf %lf %lf %lf %31s", scene->texts[i][0],
				scene->texts[i][1], state, &cpus, &asked, &peak, &cpu_s, &wall_s,
				scene->texts[i][2]),
			 9);
	if (strcmp(scene->texts[i][2], "tracer_run") == 0)
		strcpy(scene->texts[i][2], "tracer run");
	*task = (struct finding_task){ .id = "id",
				       .step = scene->texts[i][0],
				       .name = scene->texts[i][1],
				       .ended = strcmp(state, "running") != 0,
				       .succeeded = strcmp(state, "ok") == 0,
				       .cpus_requested = cpus,
				       .memory_requested_bytes = (uint64_t)(asked * (double)MIB),
				       .memory_peak_bytes = (uint64_t)(peak * (double)MIB),
				       .requested_by = scene->texts[i][2],
				       .cpu_ns = (uint64_t)(cpu_s * (double)S),
				       .wall_ns = (uint64_t)(wall_s * (double)S),
				       .host_cpus = 16,
				       .host_memory_bytes = 65536 * MIB };
}

static void scene_begin(struct scene *scene, const char *engine, const char *tasks)
{
	char *copy = strdup(tasks), *rest = NULL;
	memset(scene, 0, sizeof(*scene));
	scene->run = (struct finding_run){ .engine = engine };
	for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		read_task(scene, line);
	free(copy);
}

static void scene_end(struct scene *scene)
{
	findings_clear(&scene->findings);
}

static int find_of(const struct finding_run *run, const struct finding_task *tasks, size_t count,
		   struct findings *findings)
{
	CLEANUP(steps_clear) struct steps steps = { 0 };
	assert_int_equal(steps_make(tasks, count, &steps), 0);
	return findings_find(&(struct finding_input){ .run = run,
						      .tasks = tasks,
						      .task_count = count,
						      .steps = steps.items,
						      .step_count = steps.count },
			     findings);
}

static int find(struct scene *scene)
{
	return find_of(&scene->run, scene->tasks, scene->task_count, &scene->findings);
}

static json_int_t evidence_of(const json_t *evidence, const char *key)
{
	const json_t *value = json_object_get(evidence, key);
	assert_true(json_is_number(value));
	return (json_int_t)json_number_value(value);
}

/* The figure that a finding advises: bytes in MB, others as they are; 0: it advises none. */
static double advised_of(const json_t *evidence)
{
	static const struct {
		const char *name;
		double unit;
	} ADVISED[] = { { "memory_advised_bytes", 1e6 }, { "cpus_advised", 1 } };

	for (size_t i = 0; i < sizeof(ADVISED) / sizeof(ADVISED[0]); i++)
		if (json_object_get(evidence, ADVISED[i].name))
			return (double)evidence_of(evidence, ADVISED[i].name) / ADVISED[i].unit;
	return 0;
}

static void write_finding(const struct finding *finding, char *text, size_t size)
{
	json_t *evidence = json_loads(finding->evidence, 0, NULL);
	assert_non_null(evidence);
	assert_int_equal(strncmp(finding->subject, "step ", 5), 0);
	assert_string_equal(finding->subject + 5,
			    json_string_value(json_object_get(evidence, "step")));
	assert_int_equal(json_array_size(json_object_get(evidence, "tasks")),
			 evidence_of(evidence, "tasks_concerned"));
	size_t len = strlen(text);
	snprintf(text + len, size - len, "%s%s %s %s %d %d", len > 0 ? "\n" : "", finding->kind,
		 finding_severity_name(finding->severity), finding->subject + 5,
		 (int)evidence_of(evidence, "tasks_concerned"), (int)advised_of(evidence));
	json_decref(evidence);
}

static void each_run_has_findings_on_what_it_asked_for_in_vain(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(scene_end) struct scene scene;
		char found[1024] = "";
		print_message("%s\n", cases[i].name);
		scene_begin(&scene, cases[i].engine, cases[i].tasks);
		assert_int_equal(find(&scene), 0);
		for (size_t k = 0; k < scene.findings.count; k++)
			write_finding(&scene.findings.items[k], found, sizeof(found));
		assert_string_equal(found, cases[i].found);
		if (cases[i].advice)
			assert_string_equal(scene.findings.items[0].advice, cases[i].advice);
	}
}

static void the_summary_says_how_many_asked_and_what_they_used(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	scene_begin(
		&scene, "snakemake",
		"a t1 ok 8 4096 256 10 10 -\na t2 ok 8 8192 100 5 10 -\na t3 ok 1 100 90 5 10 -");
	assert_int_equal(find(&scene), 0);
	assert_int_equal(scene.findings.count, 2);
	assert_string_equal(
		scene.findings.items[0].summary,
		"2 of its 3 tasks asked for up to 8.0 GiB of memory and used at most 256 MiB.");
	assert_string_equal(scene.findings.items[1].summary,
			    "2 of its 3 tasks asked for up to 8 CPUs and kept at most 1.0 busy.");
}

/* 16 CPUs, 64 GiB, 16 USD an hour: a CPU, or 4 GiB, is a dollar an hour. */
static void a_saving_is_the_part_of_the_host_that_becomes_free(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	scene_begin(&scene, "snakemake", "a t1 ok 1 32768 500 3600 3600 -");
	assert_int_equal(find(&scene), 0);
	assert_true(scene.findings.items[0].saves_usd < 0); /* no price */
	assert_true(scene.findings.items[0].saves_s < 0);
	findings_clear(&scene.findings);
	scene.tasks[0].host_usd_hour = 16;
	assert_int_equal(find(&scene), 0);
	assert_int_equal(scene.findings.count, 1);
	assert_true(fabs(scene.findings.items[0].saves_usd - 7) < 1e-6); /* its CPU still costs 1 */
	findings_clear(&scene.findings);
	scene.tasks[0].cpus_requested = 8;
	assert_int_equal(find(&scene), 0);
	assert_int_equal(scene.findings.count, 2);
	/* each alone frees nothing: the other request holds half of the host */
	assert_true(fabs(scene.findings.items[0].saves_usd) < 1e-6);
	assert_true(fabs(scene.findings.items[1].saves_usd) < 1e-6);
}

static void texts_that_are_missing_are_empty(void **state)
{
	struct finding_task task = { .ended = true,
				     .succeeded = true,
				     .memory_requested_bytes = 8192 * MIB,
				     .memory_peak_bytes = MIB };
	struct finding_run run = { 0 };
	struct findings findings = { 0 };
	assert_int_equal(find_of(&run, &task, 1, &findings), 0);
	assert_int_equal(findings.count, 1);
	assert_string_equal(findings.items[0].subject, "step ");
	findings_clear(&findings);
}

static void names_in_evidence_are_at_most_twenty(void **state)
{
	CLEANUP(scene_end) struct scene scene;
	json_t *evidence;
	scene_begin(&scene, "snakemake", "");
	for (int i = 0; i < MOST; i++)
		read_task(&scene, "a \"t\\ ok 0 8192 100 1 10 -");
	assert_int_equal(find(&scene), 0);
	evidence = json_loads(scene.findings.items[0].evidence, 0, NULL);
	assert_int_equal(json_array_size(json_object_get(evidence, "tasks")), 20);
	assert_int_equal(evidence_of(evidence, "tasks_concerned"), MOST);
	json_decref(evidence);
}

/* A step of one task that asked for 8 GiB and used 300 MiB, with what its history advises. */
static void advise(const struct step_size *size, char *summary, size_t room, double *ret_mb,
		   enum finding_confidence *ret_confidence)
{
	CLEANUP(scene_end) struct scene scene;
	CLEANUP(steps_clear) struct steps steps = { 0 };
	json_t *evidence;

	scene_begin(&scene, "snakemake", "align s1 ok 0 8192 300 10 10 snakemake");
	assert_int_equal(steps_make(scene.tasks, scene.task_count, &steps), 0);
	steps.items[0].size = size;
	assert_int_equal(findings_find(&(struct finding_input){ .run = &scene.run,
								.tasks = scene.tasks,
								.task_count = scene.task_count,
								.steps = steps.items,
								.step_count = steps.count },
				       &scene.findings),
			 0);
	assert_int_equal(scene.findings.count, 1);
	snprintf(summary, room, "%s", scene.findings.items[0].summary);
	*ret_confidence = scene.findings.items[0].confidence;
	evidence = json_loads(scene.findings.items[0].evidence, 0, NULL);
	*ret_mb = advised_of(evidence);
	json_decref(evidence);
}

static void a_size_is_that_of_the_history_not_of_one_maximum(void **state)
{
	const struct step_size size = { .memory = { .basis = SIZE_CONSTANT,
						    .enough = true,
						    .advised = 900 * 1e6,
						    .highest = 700 * 1e6,
						    .tasks = 40,
						    .runs = 5 } };
	enum finding_confidence confidence;
	char summary[256];
	double advised;

	advise(&size, summary, sizeof(summary), &advised, &confidence);
	assert_true(advised == 900);
	assert_int_equal(confidence, CONFIDENCE_HIGH);
	assert_non_null(strstr(summary, " By 40 tasks of 5 runs."));
}

static void a_short_history_is_cautious_and_says_what_it_lacks(void **state)
{
	const struct step_size size = { .memory = { .basis = SIZE_AS_REQUESTED,
						    .advised = 8192.0 * (double)MIB,
						    .highest = 300 * (double)MIB,
						    .tasks = 1,
						    .runs = 1,
						    .needs_tasks = 2,
						    .needs_runs = 1 } };
	enum finding_confidence confidence;
	char summary[256];
	double advised;

	advise(&size, summary, sizeof(summary), &advised, &confidence);
	assert_true(advised == 1000); /* three times what was seen, rounded up */
	assert_int_equal(confidence, CONFIDENCE_LOW);
	assert_non_null(strstr(summary, " By 1 task of 1 run; not sure before 2 more tasks."));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_run_has_findings_on_what_it_asked_for_in_vain),
		cmocka_unit_test(a_size_is_that_of_the_history_not_of_one_maximum),
		cmocka_unit_test(a_short_history_is_cautious_and_says_what_it_lacks),
		cmocka_unit_test(the_summary_says_how_many_asked_and_what_they_used),
		cmocka_unit_test(a_saving_is_the_part_of_the_host_that_becomes_free),
		cmocka_unit_test(texts_that_are_missing_are_empty),
		cmocka_unit_test(names_in_evidence_are_at_most_twenty),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
