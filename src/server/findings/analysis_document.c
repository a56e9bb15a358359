/* SPDX-License-Identifier: Apache-2.0 */
#include "server/findings/analysis_document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "server/billing/kept_cost.h"
#include "server/query/process_key.h"
#include "server/query/run_document.h"

#define KIND "findings"

static void write_finding(struct json *json, const struct finding *finding)
{
	json_object_begin(json);
	json_key(json, "kind");
	json_text(json, finding->kind);
	json_key(json, "severity");
	json_i64(json, finding->severity);
	json_key(json, "confidence");
	json_i64(json, finding->confidence);
	json_key(json, "subject");
	json_text(json, finding->subject);
	json_key(json, "headline");
	json_text(json, finding->headline);
	json_key(json, "summary");
	json_text(json, finding->summary);
	json_key(json, "evidence");
	json_text(json, finding->evidence);
	json_key(json, "advice");
	json_text(json, finding->advice);
	json_key(json, "saves_usd");
	json_double(json, finding->saves_usd);
	json_key(json, "saves_s");
	json_double(json, finding->saves_s);
	json_object_end(json);
}

static void write_analysis(const struct analysis *analysis, struct buffer *out)
{
	struct json json;

	json_init(&json, out, false);
	json_object_begin(&json);
	json_key(&json, "text");
	json_text(&json, analysis->verdict.text);
	json_key(&json, "brief");
	json_text(&json, analysis->verdict.brief);
	json_key(&json, "failed_tools");
	json_u64(&json, analysis->verdict.failed_tools);
	json_key(&json, "asked");
	json_bool(&json, analysis->asked);
	json_key(&json, "findings");
	json_array_begin(&json);
	for (size_t i = 0; i < analysis->findings.count; i++)
		write_finding(&json, &analysis->findings.items[i]);
	json_array_end(&json);
	json_key(&json, "outcomes");
	json_array_begin(&json);
	for (size_t i = 0; i < analysis->process_count; i++) {
		const struct analysis_process *process = &analysis->processes[i];

		json_array_begin(&json);
		json_text(&json, process->host_id);
		json_i64(&json, process->pid);
		json_i64(&json, process->start_ns);
		json_i64(&json, process->outcome);
		json_array_end(&json);
	}
	json_array_end(&json);
	json_object_end(&json);
}

/* NULL where the field is null or missing; *ret_rc: -ENOMEM. */
static char *copy_text(const json_t *object, const char *key, int *ret_rc)
{
	const char *text = json_string_value(json_object_get(object, key));
	char *copy = text ? strdup(text) : NULL;

	if (text && !copy)
		*ret_rc = -ENOMEM;
	return copy;
}

static int read_finding(struct analysis *analysis, const json_t *row)
{
	int rc = 0;
	struct finding finding = {
		.kind = json_string_value(json_object_get(row, "kind")),
		.severity =
			(enum finding_severity)json_integer_value(json_object_get(row, "severity")),
		.confidence = (enum finding_confidence)json_integer_value(
			json_object_get(row, "confidence")),
		.subject = copy_text(row, "subject", &rc),
		.headline = copy_text(row, "headline", &rc),
		.summary = copy_text(row, "summary", &rc),
		.evidence = copy_text(row, "evidence", &rc),
		.advice = copy_text(row, "advice", &rc),
		.saves_usd = json_number_value(json_object_get(row, "saves_usd")),
		.saves_s = json_number_value(json_object_get(row, "saves_s")),
	};
	int added = findings_add(&analysis->findings, finding);

	return rc ? rc : added;
}

static int read_process(struct analysis *analysis, const json_t *row)
{
	const char *host_id = json_string_value(json_array_get(row, 0));

	if (!host_id)
		return 0;
	return analysis_add_process(
		analysis, host_id, json_integer_value(json_array_get(row, 1)),
		json_integer_value(json_array_get(row, 2)),
		(enum process_outcome)json_integer_value(json_array_get(row, 3)));
}

static int read_analysis(struct analysis *analysis, const json_t *document)
{
	const json_t *findings = json_object_get(document, "findings");
	const json_t *processes = json_object_get(document, "outcomes");
	int rc = 0;

	analysis->verdict.text = copy_text(document, "text", &rc);
	analysis->verdict.brief = copy_text(document, "brief", &rc);
	analysis->verdict.failed_tools =
		(uint64_t)json_integer_value(json_object_get(document, "failed_tools"));
	analysis->asked = json_is_true(json_object_get(document, "asked"));
	if (rc == 0)
		rc = analysis_make_room(analysis, json_array_size(processes));
	for (size_t i = 0; i < json_array_size(findings) && rc == 0; i++)
		rc = read_finding(analysis, json_array_get(findings, i));
	for (size_t i = 0; i < json_array_size(processes) && rc == 0; i++)
		rc = read_process(analysis, json_array_get(processes, i));
	return rc;
}

int analysis_document(struct analysis **ret, struct server *server, const char *id,
		      struct error *err)
{
	CLEANUP(json_decref_ofp) json_t *document = NULL;
	CLEANUP(analysis_putp) struct analysis *analysis = NULL;
	int rc = run_document_read(server, id, KIND, &document, err);

	*ret = NULL;
	if (rc || !document)
		return rc;
	analysis = analysis_new();
	if (!analysis)
		return error_set(err, -ENOMEM, "out of memory");
	rc = read_analysis(analysis, document);
	if (rc)
		return error_set(err, -ENOMEM, "no memory for the findings of the run");
	analysis->document = TAKE_PTR(document); /* kinds point into it */
	*ret = TAKE_PTR(analysis);
	return 0;
}

int analysis_keep(struct server *server, const char *id, uint64_t settled, struct error *err)
{
	CLEANUP(analysis_putp) struct analysis *analysis = NULL;
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	int rc = analysis_get_again(&analysis, server, id, err);

	if (rc)
		return rc;
	if (analysis->costed)
		rc = kept_cost_keep(server, id, settled, &analysis->cost, analysis->made_at, err);
	if (rc)
		return rc;
	buffer_init(&text, 0);
	write_analysis(analysis, &text);
	return run_document_keep(server, id, settled, KIND, &text, err);
}
