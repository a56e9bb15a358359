/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/json.h"
#include "signal/finding.h"

/* Appends "findings": […] to the object that is open. */
void findings_write(struct json *json, const struct findings *findings);
