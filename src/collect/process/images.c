/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/process/images.h"

#include <stdlib.h>
#include <string.h>

#include "signal/redact/redact.h"

#define PACKED_LIMIT                                                                 \
	(256u << 10) /* masks are short: far above 32 KiB of arguments and two paths \
		      */
#define ARGC_LIMIT (1u << 17)

struct image {
	uint32_t references, len;
	uint32_t argc, argv_missing_bytes;
	const char *tool_kind; /* static; NULL: "" */
	char bytes[];          /* tool, exe, cwd, then the arguments, each with its NUL */
};

struct images {
	struct buffer packed, masked; /* the image being taken, its arguments */
	const char **args;            /* in `masked` */
	size_t args_room;
	size_t limit, bytes, count;
};

struct images *images_new(size_t limit)
{
	struct images *images = calloc(1, sizeof(*images));

	if (!images)
		return NULL;
	images->limit = limit;
	buffer_init(&images->packed, PACKED_LIMIT);
	buffer_init(&images->masked, PACKED_LIMIT);
	return images;
}

void images_free(struct images *images)
{
	if (!images)
		return;
	buffer_clear(&images->packed);
	buffer_clear(&images->masked);
	free(images->args);
	free(images);
}

size_t images_bytes(const struct images *images)
{
	return images->bytes;
}

size_t images_count(const struct images *images)
{
	return images->count;
}

static bool make_room(struct images *images, size_t count)
{
	const char **grown;

	if (count <= images->args_room)
		return true;
	grown = realloc(images->args, 2 * count * sizeof(*grown));
	if (!grown)
		return false;
	images->args = grown;
	images->args_room = 2 * count;
	return true;
}

const char *const *images_mask(struct images *images, const char *const *argv, size_t argc)
{
	const char *text;

	buffer_reset(&images->masked);
	redact_argv(argv, argc, &images->masked);
	if (images->masked.failed || !make_room(images, argc + 1))
		return NULL;
	text = images->masked.data;
	for (size_t i = 0; i < argc; i++) {
		images->args[i] = text;
		text += strlen(text) + 1;
	}
	return images->args;
}

static void pack_text(struct buffer *packed, const char *text)
{
	redact_text(text ? text : "", packed);
	buffer_append_char(packed, '\0');
}

/* Ends the packed arguments behind the last whole one that ends within IMAGES_CUT bytes. */
static void cut_arguments(struct buffer *packed, size_t start, uint32_t *argc, uint32_t *missing)
{
	size_t end = start;
	uint32_t kept = 0;

	while (end < packed->len) {
		size_t next = end + strlen(packed->data + end) + 1;

		if (next - start > IMAGES_CUT)
			break;
		end = next;
		kept++;
	}
	*missing += (uint32_t)(packed->len - end);
	*argc = kept;
	packed->len = end;
}

static int pack(struct images *images, const struct image_text *text, struct image *header)
{
	struct buffer *packed = &images->packed;
	size_t arguments;

	buffer_reset(packed);
	header->argc = text->argc < ARGC_LIMIT ? (uint32_t)text->argc : ARGC_LIMIT;
	header->argv_missing_bytes = text->argv_missing_bytes;
	header->tool_kind = text->tool_kind;
	pack_text(packed, text->tool);
	pack_text(packed, text->exe);
	pack_text(packed, text->cwd);
	arguments = packed->len;
	for (uint32_t i = 0; i < header->argc; i++)
		buffer_append(packed, text->argv[i], strlen(text->argv[i]) + 1);
	if (packed->failed)
		return -1;
	if (images->bytes + packed->len > images->limit)
		cut_arguments(packed, arguments, &header->argc, &header->argv_missing_bytes);
	header->len = (uint32_t)packed->len;
	return 0;
}

struct image *images_take(struct images *images, const struct image_text *text)
{
	struct image header = { .references = 1 }, *image;

	if (pack(images, text, &header) < 0)
		return NULL;
	image = malloc(sizeof(*image) + header.len);
	if (!image)
		return NULL;
	*image = header;
	memcpy(image->bytes, images->packed.data, header.len);
	images->bytes += header.len;
	images->count++;
	return image;
}

struct image *image_share(struct image *image)
{
	if (image)
		image->references++;
	return image;
}

void images_release(struct images *images, struct image *image)
{
	if (!image || --image->references > 0)
		return;
	images->bytes -= image->len;
	images->count--;
	free(image);
}

static const char *part(const struct image *image, unsigned index)
{
	const char *text = image ? image->bytes : "";

	for (; image && index > 0; index--)
		text += strlen(text) + 1;
	return text;
}

const char *image_tool(const struct image *image)
{
	return part(image, 0);
}

const char *image_tool_kind(const struct image *image)
{
	return image && image->tool_kind ? image->tool_kind : "";
}

const char *image_exe(const struct image *image)
{
	return part(image, 1);
}

const char *image_cwd(const struct image *image)
{
	return part(image, 2);
}

uint32_t image_missing_bytes(const struct image *image)
{
	return image ? image->argv_missing_bytes : 0;
}

size_t image_argc(const struct image *image)
{
	return image ? image->argc : 0;
}

void image_argv(const struct image *image, char **args)
{
	const char *text = image && image->argc ? part(image, 3) : NULL;

	for (uint32_t i = 0; image && i < image->argc; i++) {
		/* A message takes char *, and does not write. */
		args[i] = (char *)(uintptr_t)text;
		text += strlen(text) + 1;
	}
}
