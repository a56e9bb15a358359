/* SPDX-License-Identifier: Apache-2.0 */
#include "server/api/cost/cost_ask.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "server/api/cost/time_window.h"
#include "server/http/request.h"
#include "server/server.h"

/* "label:KEY" stands for the value of a label. */
static int read_key(const struct request *request, struct cost_asked *ret, struct error *err)
{
	const char *by = request_text(request, "by");

	ret->choice.by = by;
	if (strncmp(by, "label:", 6) == 0 && by[6]) {
		ret->choice.by = "label";
		ret->choice.label = by + 6;
		return 0;
	}
	if (strcmp(by, "label") != 0 && sheet_key_find(by))
		return 0;
	return error_set(err, -EINVAL, "by takes %s", SHEET_KEYS_WORDS);
}

/* "KEY:VALUE", or "KEY" for any value. */
static void read_label(const struct request *request, struct cost_asked *ret)
{
	const char *label = request_text(request, "label");
	const char *colon = label ? strchr(label, ':') : NULL;

	if (!label)
		return;
	snprintf(ret->label_key, sizeof(ret->label_key), "%.*s",
		 (int)(colon ? (size_t)(colon - label) : strlen(label)), label);
	ret->choice.label_key = ret->label_key;
	ret->choice.label_value = colon ? colon + 1 : NULL;
}

static void read_over(const struct request *request, struct cost_asked *ret)
{
	const char *over = request_text(request, "over");

	ret->ask.bucket = SHEET_WINDOW;
	if (over)
		ret->ask.bucket = strcmp(over, "hour") == 0 ? SHEET_HOUR : SHEET_DAY;
	else if (strcmp(ret->choice.by, "day") == 0)
		ret->ask.bucket = SHEET_DAY;
	ret->choice.points = ret->over = over != NULL;
}

static void read_choice(const struct request *request, struct cost_asked *ret)
{
	struct sheet_choice *choice = &ret->choice;

	choice->pipeline = request_text(request, "pipeline");
	choice->run = request_text(request, "run");
	choice->step = request_text(request, "step");
	choice->user = request_text(request, "user");
	choice->host = request_text(request, "host");
	choice->sample = request_text(request, "sample");
	choice->task = request_text(request, "task");
	choice->policy = request->server->policy;
	read_label(request, ret);
	read_over(request, ret);
}

int cost_asked_read(const struct request *request, struct cost_asked *ret, struct error *err)
{
	const char *rule = request_text(request, "split");
	int rc = read_key(request, ret, err);

	if (rc == 0)
		rc = time_window(request, clock_real_ns(), &ret->ask.since_at, &ret->ask.until_at,
				 err);
	if (rc)
		return rc;
	read_choice(request, ret);
	ret->ask.rule = sheet_rule(request->server);
	if (rule)
		ret->ask.rule = strcmp(rule, "aws") == 0 ? COST_RULE_AWS : COST_RULE_HELD;
	ret->ask.billed = true;
	ret->limit = request_number(request, "limit");
	return 0;
}
