/* SPDX-License-Identifier: Apache-2.0 */
#include "server/replay/whatif_ask_read.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define CORES_MAX  1000000
#define CORES_MIN  0.05
#define FACTOR_MIN 0.01
#define FACTOR_MAX 100

static int read_cores(const char *text, double *ret, struct error *err)
{
	char *end;
	double cores = text ? strtod(text, &end) : 0;

	if (text && (*end || !(cores >= CORES_MIN && cores <= CORES_MAX)))
		return error_set(err, -EINVAL, "cores must be a number, such as 4 or 1.5");
	*ret = cores;
	return 0;
}

static int read_memory(const char *text, double *ret, struct error *err)
{
	uint64_t bytes = 0;

	if (text && (text_parse_bytes(text, &bytes) || bytes == 0))
		return error_set(err, -EINVAL,
				 "memory must be a size, such as 8G, 512M or a number of bytes");
	*ret = (double)bytes;
	return 0;
}

/* "NAME:0.5"; a name may have colons. */
static int read_step(char *text, struct whatif_step *ret, struct error *err)
{
	char *colon = strrchr(text, ':'), *end = NULL;

	if (colon) {
		*colon = 0;
		ret->factor = strtod(colon + 1, &end);
	}
	ret->step = text;
	if (!colon || !*text || end == colon + 1 || *end ||
	    !(ret->factor >= FACTOR_MIN && ret->factor <= FACTOR_MAX))
		return error_set(err, -EINVAL,
				 "step must be the name of a step and the part of its time that it "
				 "is to take, such as map:0.5");
	return 0;
}

static int read_steps(struct whatif_request *ret, struct error *err)
{
	char *rest = NULL;
	int rc = 0;

	for (char *text = strtok_r(ret->text, ",", &rest); rc == 0 && text;
	     text = strtok_r(NULL, ",", &rest)) {
		if (ret->ask.step_count == WHATIF_STEPS_MAX)
			return error_set(err, -EINVAL, "at most %d steps can be made shorter",
					 WHATIF_STEPS_MAX);
		rc = read_step(text, &ret->steps[ret->ask.step_count++], err);
	}
	return rc;
}

int whatif_ask_read(const struct request *request, struct whatif_request *ret, struct error *err)
{
	const char *steps = request_text(request, "step");
	int rc;

	*ret = (struct whatif_request){ 0 };
	ret->ask.steps = ret->steps;
	ret->ask.slots = (double)request_number(request, "slots");
	ret->ask.no_queue = strcmp(request_text(request, "no_queue"), "true") == 0;
	(void)snprintf(ret->text, sizeof(ret->text), "%s", steps ? steps : "");
	rc = read_cores(request_text(request, "cores"), &ret->ask.cores, err);
	if (rc == 0)
		rc = read_memory(request_text(request, "memory"), &ret->ask.memory_bytes, err);
	return rc ? rc : read_steps(ret, err);
}
