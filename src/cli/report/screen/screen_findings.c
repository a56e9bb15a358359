/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/screen/screen_findings.h"

#include "base/cleanup.h"
#include "cli/report/finding.h"

void screen_findings_add(struct lines *lines, const json_t *document, size_t most,
			 const struct screen_size *size)
{
	const json_t *findings = json_object_get(document, "findings"), *finding;
	size_t count = json_array_size(findings), left = most - 1, shown;
	char more[64];

	if (count == 0) {
		lines_wrap(lines, "", "  ",
			   finding_none(json_is_true(json_object_get(document, "asked"))),
			   size->width);
		return;
	}
	lines_add(lines, "Findings");
	json_array_foreach(findings, shown, finding)
	{
		struct lines one CLEANUP(lines_clear) = { 0 };
		size_t room = left - (shown + 1 < count); /* a line says how many more */

		finding_lines(&one, finding, size->width, size->colourful);
		if (shown == 0)
			lines_shorten(&one, room, size->width);
		if (one.count > room)
			break;
		left -= one.count;
		lines_join(lines, &one);
	}
	if (shown == count)
		return;
	(void)snprintf(more, sizeof(more), "  … and %zu more: `tracer tune`", count - shown);
	lines_add(lines, more);
}
