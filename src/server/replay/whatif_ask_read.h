/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "server/http/request.h"
#include "tune/replay/whatif.h"

/* The parameters of a request as a question. */
struct whatif_request {
	struct whatif_ask ask;
	struct whatif_step steps[WHATIF_STEPS_MAX];
	char text[FILTER_TEXT_MAX + 1]; /* owns the names of the steps */
};

/* -EINVAL with words: a parameter is none. */
int whatif_ask_read(const struct request *request, struct whatif_request *ret, struct error *err);
