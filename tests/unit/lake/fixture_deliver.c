/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_deliver.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory/arena.h"
#include "lake/store/store_delivery.h"
#include "signal/batch.h"

/* It has two users: who waits for the answer, and the store, which may need the batch longer. */
struct sending {
	atomic_int users;
	pthread_mutex_t lock;
	pthread_cond_t answer;
	bool answered, duplicate;
	int rc;
	struct error err;
	struct arena arena; /* of the batch */
	struct buffer packed;
};

static void leave(void *context)
{
	struct sending *sending = context;

	if (atomic_fetch_sub(&sending->users, 1) > 1)
		return;
	arena_clear(&sending->arena);
	buffer_clear(&sending->packed);
	free(sending);
}

static void done(void *context, int rc, bool duplicate, const struct error *err)
{
	struct sending *sending = context;

	pthread_mutex_lock(&sending->lock);
	sending->answered = true;
	sending->rc = rc;
	sending->duplicate = duplicate;
	if (rc)
		sending->err = *err;
	pthread_cond_signal(&sending->answer);
	pthread_mutex_unlock(&sending->lock);
}

static int wait_for_answer(struct sending *sending, bool *ret_duplicate, struct error *err)
{
	int rc;

	pthread_mutex_lock(&sending->lock);
	while (!sending->answered)
		pthread_cond_wait(&sending->answer, &sending->lock);
	rc = sending->rc;
	*ret_duplicate = sending->duplicate;
	if (rc && err)
		*err = sending->err;
	pthread_mutex_unlock(&sending->lock);
	leave(sending);
	return rc;
}

int deliver(struct store *store, const Signal__Batch *batch, bool *ret_duplicate, struct error *err)
{
	struct sending *sending = calloc(1, sizeof(*sending));
	struct store_delivery delivery = { .done = done, .release = leave, .context = sending };
	Signal__Batch *copy = NULL;

	assert_non_null(sending);
	*sending = (struct sending){ .users = 2,
				     .lock = PTHREAD_MUTEX_INITIALIZER,
				     .answer = PTHREAD_COND_INITIALIZER };
	buffer_init(&sending->packed, 0);
	assert_int_equal(batch_pack(batch, &sending->packed), 0);
	assert_int_equal(batch_unpack_into(&sending->arena, sending->packed.data,
					   sending->packed.len, &copy, &delivery.bytes, NULL),
			 0);
	delivery.batch = copy;
	delivery.packed = sending->packed.data;
	delivery.packed_len = sending->packed.len;
	assert_int_equal(store_submit(store, &delivery, err), 0);
	return wait_for_answer(sending, ret_duplicate, err);
}
