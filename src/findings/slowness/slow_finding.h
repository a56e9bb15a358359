/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/slowness/kind.h"

/* Adds the finding of a group: subject, severity, evidence, and the words of its kind. Errors as of
 * findings_add. */
int slow_finding_add(const struct slow_group *group, struct findings *ret);

/* A figure of the evidence. */
void slow_evidence_ns(struct json *json, const char *key, double ns);
void slow_evidence_count(struct json *json, const char *key, double count);
void slow_evidence_text(struct json *json, const char *key, const char *text); /* "": left out */
/* With three digits behind the point. */
void slow_evidence_number(struct json *json, const char *key, double number);
