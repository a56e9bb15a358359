/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* The part of `tracer status` about records that the lake does not have or refused ("losses" of GET
 * /hosts): one line each, at most 20. */
void status_losses(FILE *out, const json_t *hosts);
