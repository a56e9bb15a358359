/* SPDX-License-Identifier: Apache-2.0 */
#include "server/query/beside.h"

#include "lake/store/store_reader.h"

static void *work(void *context)
{
	struct beside *beside = context;

	store_reader_use(beside->reader);
	beside->rc = beside->run(beside->context, &beside->err);
	store_reader_use(NULL);
	return NULL;
}

void beside_begin(struct beside *beside, int (*run)(void *context, struct error *err),
		  void *context)
{
	*beside =
		(struct beside){ .run = run, .context = context, .reader = store_reader_current() };
	beside->is_thread = pthread_create(&beside->thread, NULL, work, beside) == 0;
	if (!beside->is_thread)
		beside->rc = run(context, &beside->err);
}

int beside_end(struct beside *beside, struct error *err)
{
	if (beside->is_thread)
		pthread_join(beside->thread, NULL);
	if (beside->rc && err)
		*err = beside->err;
	return beside->rc;
}
