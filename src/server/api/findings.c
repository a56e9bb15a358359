/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api/findings.h"

#include <string.h>

#include "server/api/handlers.h"
#include "server/findings/analysis.h"
#include "server/query/run.h"
#include "server/rows/answer.h"

static struct cell saving_cell(double saving)
{
	return saving < 0 ? CELL_NONE : cell_double(saving);
}

/* Kinds that name other runs on the host, and what is said of them without these names. */
static const struct {
	const char *kind, *summary;
} OF_OTHERS[] = {
	{ "cpu_contention", "Other work on its host used CPUs that it was ready for." },
};

/* The words without names; NULL: the finding names no other run. */
static const char *summary_of_others(const struct finding *finding)
{
	for (size_t i = 0; i < sizeof(OF_OTHERS) / sizeof(OF_OTHERS[0]); i++)
		if (strcmp(OF_OTHERS[i].kind, finding->kind) == 0)
			return OF_OTHERS[i].summary;
	return NULL;
}

void findings_write(struct row_writer *writer, const struct findings *findings, bool all)
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
		const char *words = all ? NULL : summary_of_others(finding);
		const struct cell cells[] = {
			cell_text(finding->kind),
			cell_text(finding_severity_name(finding->severity)),
			cell_text(finding->subject),
			cell_text(words ? words : finding->summary),
			cell_json(words ? "{}" : finding->evidence),
			cell_text(finding->advice),
			saving_cell(finding->saves_usd),
			saving_cell(finding->saves_s),
			cell_text(finding_confidence_name(finding->confidence)),
		};

		ROW_LIST_ADD(writer, cells);
	}
	row_list_end(writer);
}

static void write_verdict(struct row_writer *writer, const struct verdict *verdict)
{
	row_group_begin(writer, "verdict");
	row_field(writer, "text", cell_text(verdict->text));
	row_field(writer, "short", cell_text(verdict->brief));
	row_field(writer, "failed_tools", cell_i64((int64_t)verdict->failed_tools));
	row_group_end(writer);
}

int get_run_findings(struct request *request, struct reply *reply)
{
	CLEANUP(analysis_putp) struct analysis *analysis = NULL;
	char id[RUN_ID_SIZE];
	struct row_writer writer;
	int rc = run_resolve(request, reply, id);

	if (rc == 0)
		rc = analysis_get(&analysis, request->server, id, &reply->error);
	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	write_verdict(&writer, &analysis->verdict);
	findings_write(&writer, &analysis->findings, request->reader.all);
	row_field(&writer, "asked", cell_bool(analysis->asked));
	row_writer_end(&writer);
	return 0;
}
