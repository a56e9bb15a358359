/* SPDX-License-Identifier: Apache-2.0 */
#include "cloud/metadata/metadata_look.h"

#include <errno.h>
#include <event2/event.h>

#include "base/clock.h"

static void on_changed(void *context)
{
	struct metadata_look *look = context;

	event_base_loopbreak(look->base);
}

static void on_notice(const struct metadata_notice *notice, void *context)
{
}

static void on_second(evutil_socket_t fd, short what, void *context)
{
	const struct metadata_look *look = context;

	metadata_tick(look->metadata, clock_monotonic_ns());
}

static int wait_for_answers(struct metadata_look *look, struct error *err)
{
	static const struct timeval second = { .tv_sec = 1 };
	struct event *timer = event_new(look->base, -1, EV_PERSIST, on_second, look);

	if (!timer || event_add(timer, &second) < 0) {
		if (timer)
			event_free(timer);
		return error_set(err, -ENOMEM, "no memory for a timer");
	}
	metadata_tick(look->metadata, clock_monotonic_ns());
	if (metadata_status(look->metadata).asking)
		event_base_dispatch(look->base);
	event_free(timer);
	return 0;
}

int metadata_look(struct metadata_look *ret, const struct metadata_options *options,
		  struct error *err)
{
	const struct metadata_listener listener = { on_changed, on_notice, ret };
	int result;

	*ret = (struct metadata_look){ .base = event_base_new() };
	if (!ret->base)
		return error_set(err, -ENOMEM, "cannot make an event loop");
	result = metadata_new(&ret->metadata, ret->base, options, &listener, err);
	if (result == 0)
		result = wait_for_answers(ret, err);
	if (result < 0)
		metadata_look_clear(ret);
	return result;
}

void metadata_look_clear(struct metadata_look *look)
{
	metadata_free(look->metadata);
	if (look->base)
		event_base_free(look->base);
	*look = (struct metadata_look){ 0 };
}
