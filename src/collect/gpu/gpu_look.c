/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/gpu/gpu_look.h"

#include <event2/event.h>
#include <stdio.h>
#include <string.h>

#include "collect/gpu/gpu.h"
#include "collect/gpu/gpu_helper.h"

struct looking {
	const char *source;
	struct event_base *base;
	struct gpu_found *found;
	size_t count, room;
};

static struct gpu_found *add(struct looking *looking)
{
	struct gpu_found *found;

	if (looking->count == looking->room)
		return NULL;
	found = &looking->found[looking->count++];
	*found = (struct gpu_found){ .source = looking->source };
	return found;
}

static void add_words(struct looking *looking, const char *words)
{
	struct gpu_found *found = add(looking);

	if (found)
		(void)snprintf(found->words, sizeof(found->words), "%s", words);
}

static void on_line(void *context, const struct gpu_line *line)
{
	struct looking *looking = context;
	struct gpu_found *found;

	if (line->kind == GPU_LINE_END)
		event_base_loopbreak(looking->base);
	else if (line->kind == GPU_LINE_NOTE)
		add_words(looking, line->note);
	if (line->kind != GPU_LINE_DEVICE)
		return;
	found = add(looking);
	if (found) {
		found->read = true;
		found->device = line->device;
	}
}

static void on_end(void *context, const char *words)
{
	struct looking *looking = context;

	event_base_loopbreak(looking->base);
}

static void look(struct looking *looking, const char *program, const char *library_folder)
{
	const struct gpu_helper_options options = { .program = program,
						    .source = looking->source,
						    .library_folder = library_folder,
						    .on_line = on_line,
						    .on_end = on_end,
						    .context = looking };
	const struct timeval limit = { .tv_sec = GPU_LOOK_S };
	struct gpu_helper *helper = gpu_helper_new(looking->base, &options);
	size_t before = looking->count;

	if (!helper)
		return;
	gpu_helper_tick(helper, true);
	if (gpu_helper_status(helper).running) {
		event_base_loopexit(looking->base, &limit);
		event_base_dispatch(looking->base);
	}
	if (looking->count == before)
		add_words(looking, *gpu_helper_status(helper).words
					   ? gpu_helper_status(helper).words
					   : "its driver does not answer");
	gpu_helper_free(helper);
}

size_t gpu_look(const char *helper, const char *library_folder, bool always, struct gpu_found *ret,
		size_t room)
{
	static const char *const sources[] = { "nvidia", "drm" };
	struct looking looking = { .found = ret, .room = room };

	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		looking.source = sources[i];
		if (!always && !gpu_is_there(sources[i]))
			continue;
		looking.base = event_base_new(); /* without the time limit of the one before */
		if (!looking.base)
			break;
		look(&looking, helper, library_folder);
		event_base_free(looking.base);
	}
	return looking.count;
}
