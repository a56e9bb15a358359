/* SPDX-License-Identifier: Apache-2.0 */
#include "server/query/run_list.h"

#include "server/api/handlers.h"
#include "server/query/run.h"
#include "server/server.h"

#define PARAMS (RUN_LIST_FILTERS + 3) /* the run, the cursor and the limit besides */

static size_t fill(struct store_param params[PARAMS], struct request *request, const char *id,
		   const struct run_list *list, int64_t limit)
{
	size_t count = 0;

	params[count++] = (struct store_param)ASK_TEXT("run", id);
	for (size_t i = 0; i < RUN_LIST_FILTERS && list->filters[i]; i++)
		params[count++] = (struct store_param)ASK_OPTIONAL(
			list->filters[i], request_text(request, list->filters[i]));
	if (list->paged)
		params[count++] =
			(struct store_param)ASK_OPTIONAL("cursor", request_text(request, "cursor"));
	if (list->limited || list->paged)
		params[count++] = (struct store_param)ASK_I64("limit", limit);
	return count;
}

static int ask_for(struct request *request, const struct run_list *list, struct store_param *params,
		   size_t count, int64_t *limit, struct store_rows **ret, struct error *err)
{
	if (list->paged)
		return ask_some(request->server, list->query, params, count, limit, ret, err);
	return ask(request->server, list->query, params, count, ret, err);
}

int run_list_answer(struct request *request, struct reply *reply, const struct run_list *list)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int64_t limit = list->limited || list->paged ? request_number(request, "limit") : 0;
	struct store_param params[PARAMS];
	char id[RUN_ID_SIZE];
	struct json json;
	int rc = run_resolve(request, reply, id);

	if (rc == 0)
		rc = ask_for(request, list, params, fill(params, request, id, list, limit), &limit,
			     &rows, &reply->error);
	if (rc)
		return rc;
	reply->tagged = true;
	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	if (list->paged)
		ask_page(&json, list->key, rows, limit, NULL, NULL);
	else
		ask_list(&json, list->key, rows, NULL, NULL);
	json_object_end(&json);
	return 0;
}
