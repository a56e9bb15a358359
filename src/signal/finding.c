/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/finding.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FINDINGS_LIMIT 10000

static void finding_clear(struct finding *finding)
{
	free(finding->subject);
	free(finding->headline);
	free(finding->summary);
	free(finding->evidence);
	free(finding->advice);
}

static int reserve(struct findings *findings)
{
	size_t capacity = findings->capacity ? 2 * findings->capacity : 16;
	struct finding *items;

	if (findings->count >= FINDINGS_LIMIT)
		return -ENOSPC;
	if (findings->count < findings->capacity)
		return 0;
	items = reallocarray(findings->items, capacity, sizeof(*items));
	if (!items)
		return -ENOMEM;
	findings->items = items;
	findings->capacity = capacity;
	return 0;
}

int findings_add(struct findings *findings, struct finding finding)
{
	int r = reserve(findings);

	/* A text that could not be made (asprintf without memory) is no finding. */
	if (!r && (!finding.subject || !finding.summary || !finding.evidence || !finding.advice))
		r = -ENOMEM;
	if (r)
		finding_clear(&finding);
	else
		findings->items[findings->count++] = finding;
	return r;
}

void findings_remove(struct findings *findings, size_t index)
{
	struct finding *at = &findings->items[index];

	finding_clear(at);
	findings->count--;
	memmove(at, at + 1, (findings->count - index) * sizeof(*at));
}

void findings_clear(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		finding_clear(&findings->items[i]);
	free(findings->items);
	*findings = (struct findings){ 0 };
}

const char *finding_severity_name(enum finding_severity severity)
{
	static const char *const names[] = { "info", "warning", "critical" };

	return names[severity];
}

const char *finding_confidence_name(enum finding_confidence confidence)
{
	static const char *const names[] = { "low", "medium", "high" };

	return names[confidence];
}
