/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdio.h>

/* What the lake lacks of its hosts, or kept out (`losses` of GET /hosts): a line each, at most 20.
 */
void status_losses(FILE *out, const json_t *hosts);
