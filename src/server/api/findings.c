/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api/findings.h"

#include "findings/finders.h"
#include "server/api/handlers.h"
#include "server/findings/finding_input.h"
#include "server/query/run.h"
#include "server/rows/answer.h"

static struct cell saving_cell(double saving)
{
	return saving < 0 ? CELL_NONE : cell_double(saving);
}

void findings_write(struct row_writer *writer, const struct findings *findings)
{
	static const struct row_column COLUMNS[] = {
		{ "kind", STORE_TEXT },        { "severity", STORE_TEXT },
		{ "subject", STORE_TEXT },     { "summary", STORE_TEXT },
		{ "evidence", STORE_JSON },    { "advice", STORE_TEXT },
		{ "saves_usd", STORE_DOUBLE }, { "saves_s", STORE_DOUBLE },
		{ "confidence", STORE_TEXT },
	};

	ROW_LIST_BEGIN(writer, "findings", COLUMNS);
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];
		const struct cell cells[] = {
			cell_text(finding->kind),
			cell_text(finding_severity_name(finding->severity)),
			cell_text(finding->subject),
			cell_text(finding->summary),
			cell_json(finding->evidence),
			cell_text(finding->advice),
			saving_cell(finding->saves_usd),
			saving_cell(finding->saves_s),
			cell_text(finding_confidence_name(finding->confidence)),
		};

		ROW_LIST_ADD(writer, cells);
	}
	row_list_end(writer);
}

/* Whether a task has a request, with which its use can be compared. */
static bool is_asked(const struct finding_input *input)
{
	for (size_t i = 0; i < input->task_count; i++)
		if (input->tasks[i].cpus_requested > 0 || input->tasks[i].memory_requested_bytes)
			return true;
	return false;
}

int get_run_findings(struct request *request, struct reply *reply)
{
	CLEANUP(finding_source_clear) struct finding_source source = { 0 };
	CLEANUP(findings_clear) struct findings findings = { 0 };
	char id[RUN_ID_SIZE];
	struct row_writer writer;
	int rc = run_resolve(request, reply, id);

	if (rc == 0)
		rc = finding_source_of_run(request->server, id, &source, &reply->error);
	if (rc == 0)
		rc = findings_find(&source.input, &findings);
	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	findings_write(&writer, &findings);
	row_field(&writer, "asked", cell_bool(is_asked(&source.input)));
	row_writer_end(&writer);
	return 0;
}
