/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "collect/output/sink.h"
#include "fixture_sink.h"

static char tool[] = "samtools sort", run_id[] = "run-1", argument[] = "reads.bam";

static Signal__Execution execution(uint32_t pid, Signal__Figures *figures, char **argv)
{
	Signal__Execution record = SIGNAL__EXECUTION__INIT;

	signal__figures__init(figures);
	figures->user_ns = pid * 10ULL;
	record.pid = pid;
	record.tool = tool;
	record.argv = argv;
	record.n_argv = 1;
	record.figures = figures;
	return record;
}

static void add_execution(struct outbox *outbox, uint32_t pid)
{
	char *argv[] = { argument };
	Signal__Figures figures;
	Signal__Execution record = execution(pid, &figures, argv);

	assert_int_equal(outbox_add(outbox, &record.base), 0);
}

static void add_sample(struct outbox *outbox, uint32_t pid)
{
	Signal__Figures figures = SIGNAL__FIGURES__INIT;
	Signal__Sample record = SIGNAL__SAMPLE__INIT;

	record.pid = pid;
	record.run_id = run_id;
	record.since_at = record.until_at = 1;
	record.figures = &figures;
	assert_int_equal(outbox_add(outbox, &record.base), 0);
}

static void records_arrive_whole_after_what_they_were_made_of_is_gone(void **state)
{
	struct sink_kept kept;
	struct outbox_sink sink = sink_keeps(&kept);
	struct outbox *outbox = outbox_new("agent", "host", "boot", &sink);

	for (uint32_t pid = 1; pid <= 200; pid++)
		add_execution(outbox, pid);
	assert_int_equal(outbox_flush(outbox), 1);
	assert_int_equal(kept.count, 1);
	assert_int_equal(kept.batches[0]->n_executions, 200);
	for (uint32_t pid = 1; pid <= 200; pid++) {
		const Signal__Execution *record = sink_execution(&kept, pid, 0, 0);

		assert_string_equal(record->tool, "samtools sort");
		assert_string_equal(record->argv[0], "reads.bam");
		assert_int_equal(record->figures->user_ns, pid * 10);
		assert_string_equal(record->cwd, "");
	}
	assert_string_equal(kept.batches[0]->agent_id, "agent");
	assert_string_equal(kept.batches[0]->host_id, "host");
	assert_string_equal(kept.batches[0]->boot_id, "boot");
	assert_true(kept.batches[0]->created_at > 0);
	assert_int_equal(outbox_flush(outbox), 0);
	outbox_free(outbox);
	sink_clear(&kept);
}

static void samples_and_lifecycle_go_apart_and_number_on(void **state)
{
	struct sink_kept kept;
	struct outbox_sink sink = sink_keeps(&kept);
	struct outbox *outbox = outbox_new("agent", "host", "boot", &sink);

	add_execution(outbox, 1);
	add_sample(outbox, 1);
	outbox_flush(outbox);
	assert_int_equal(kept.count, 2);
	assert_int_equal(kept.kinds[0], SPOOL_LIFECYCLE);
	assert_int_equal(kept.batches[0]->n_samples, 0);
	assert_int_equal(kept.kinds[1], SPOOL_SAMPLES);
	assert_int_equal(kept.batches[1]->n_samples, 1);
	assert_int_equal(kept.batches[0]->sequence, 1);
	assert_int_equal(kept.batches[1]->sequence, 2);
	outbox_free(outbox);
	sink_clear(&kept);
}

static void a_batch_never_outgrows_its_limit(void **state)
{
	struct sink_kept kept;
	struct outbox_sink sink = sink_keeps(&kept);
	struct outbox *outbox = outbox_new("agent", "host", "boot", &sink);
	size_t records = 0;

	for (uint32_t pid = 1; pid <= 30000; pid++)
		add_sample(outbox, pid);
	outbox_flush(outbox);
	assert_true(kept.count > 1);
	for (size_t i = 0; i < kept.count; i++) {
		assert_true(protobuf_c_message_get_packed_size(&kept.batches[i]->base) <=
			    OUTBOX_BATCH_BYTES);
		assert_int_equal(kept.batches[i]->sequence, i + 1);
		records += kept.batches[i]->n_samples;
	}
	assert_int_equal(records, 30000);
	outbox_free(outbox);
	sink_clear(&kept);
}

static void what_the_sink_refuses_is_told_once_it_takes_again(void **state)
{
	struct sink_kept kept;
	struct outbox_sink sink = sink_keeps(&kept);
	struct outbox *outbox = outbox_new("agent", "host", "boot", &sink);
	const Signal__Loss *loss;

	kept.refuse = -EIO;
	add_execution(outbox, 1);
	assert_int_equal(outbox_flush(outbox), -EIO);
	assert_int_equal(outbox_flush(outbox), -EIO); /* the Loss itself */
	kept.refuse = 0;
	assert_int_equal(outbox_flush(outbox), 1);
	loss = sink_loss(&kept, "batches", 0);
	assert_non_null(loss);
	assert_int_equal(loss->count, 2);
	assert_string_equal(loss->why, "the spool could not be written");
	assert_true(loss->since_at > 0 && loss->until_at >= loss->since_at);
	assert_int_equal(kept.batches[0]->sequence, 1); /* no gap: the number was used again */
	assert_int_equal(outbox_flush(outbox), 0);      /* recorded, and not again */
	outbox_free(outbox);
	sink_clear(&kept);
}

static void a_full_spool_tells_by_itself(void **state)
{
	struct sink_kept kept;
	struct outbox_sink sink = sink_keeps(&kept);
	struct outbox *outbox = outbox_new("agent", "host", "boot", &sink);

	kept.refuse = -ENOSPC;
	add_execution(outbox, 1);
	assert_int_equal(outbox_flush(outbox), -ENOSPC);
	kept.refuse = 0;
	assert_int_equal(outbox_flush(outbox), 0);
	assert_int_equal(outbox_counts(outbox).lost_batches, 1);
	outbox_free(outbox);
	sink_clear(&kept);
}

static void an_audit_prints_what_would_be_sent(void **state)
{
	char *printed = NULL;
	size_t len;
	struct sink_print print = { .stream = open_memstream(&printed, &len) };
	struct outbox_sink sink = sink_to_stream(&print);
	struct outbox *outbox = outbox_new("agent", "host", "boot", &sink);

	add_execution(outbox, 4242);
	assert_int_equal(outbox_flush(outbox), 1);
	fclose(print.stream);
	assert_non_null(strstr(printed, "4242"));
	assert_non_null(strstr(printed, "\"reads.bam\""));
	assert_non_null(strstr(printed, "\"agent_id\": \"agent\""));
	free(printed);
	outbox_free(outbox);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_arrive_whole_after_what_they_were_made_of_is_gone),
		cmocka_unit_test(samples_and_lifecycle_go_apart_and_number_on),
		cmocka_unit_test(a_batch_never_outgrows_its_limit),
		cmocka_unit_test(what_the_sink_refuses_is_told_once_it_takes_again),
		cmocka_unit_test(a_full_spool_tells_by_itself),
		cmocka_unit_test(an_audit_prints_what_would_be_sent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
