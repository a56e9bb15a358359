/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/screen/screen.h"

#include "base/cleanup.h"
#include "cli/report/screen/screen_bars.h"
#include "cli/report/screen/screen_facts.h"
#include "cli/report/screen/screen_findings.h"
#include "cli/report/screen/screen_size.h"
#include "cli/report/screen/screen_usual.h"
#include "cli/report/screen/verdict.h"

#define VERDICT_LINES 4
#define BARS_LEAST    6 /* lines that findings leave for the bars */
#define BLANK_LINES   2

static void add_head(struct lines *lines, const json_t *document, const struct screen_size *size)
{
	struct lines verdict CLEANUP(lines_clear) = { 0 };

	verdict_lines(&verdict, document, size->width, size->colourful);
	lines_shorten(&verdict, VERDICT_LINES, size->width);
	lines_join(lines, &verdict);
	screen_facts_add(lines, document, size);
	screen_usual_add(lines, document, size);
}

void screen_print(FILE *out, const json_t *document)
{
	const struct screen_size size = screen_size_of(out);
	struct lines head CLEANUP(lines_clear) = { 0 }, findings CLEANUP(lines_clear) = { 0 },
			  bars CLEANUP(lines_clear) = { 0 };
	size_t wanted = screen_bars_wanted(document), left;

	add_head(&head, document, &size);
	left = size.height - head.count - BLANK_LINES;
	screen_findings_add(&findings, document, left - (wanted < BARS_LEAST ? wanted : BARS_LEAST),
			    &size);
	screen_bars_add(&bars, document, left - findings.count, &size);
	lines_print(out, &head);
	putc('\n', out);
	lines_print(out, &findings);
	putc('\n', out);
	lines_print(out, &bars);
}
