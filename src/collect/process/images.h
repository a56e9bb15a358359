/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/*
 * What programs were called with: tool, exe, cwd and arguments, masked and packed, held once for a
 * process and all that it forks: counted by references. (The same command started again is packed
 * again: to find it would cost more memory than it saves.) Bounded in bytes: beyond the limit a new
 * image keeps only the first arguments, and says how much is missing.
 */
struct images;
struct image;

#define IMAGES_CUT 256 /* bytes of arguments that an image keeps beyond the limit */

struct image_text {
	const char *tool, *exe, *cwd; /* NULL: "" */
	const char *tool_kind;        /* static; NULL: "" */
	const char *const *argv;      /* masked by images_mask */
	size_t argc;
	uint32_t argv_missing_bytes;
};

/* NULL only without memory. */
struct images *images_new(size_t limit);
void images_free(struct images *images); /* every image was released; NULL is fine */
size_t images_bytes(const struct images *images);
size_t images_count(const struct images *images);

/* Arguments, masked: as many, owned by `images`, for until it masks again. NULL only without
 * memory.
 */
const char *const *images_mask(struct images *images, const char *const *argv, size_t argc);
/* Packs text, masked, and gives the image that holds it, with a reference more. NULL only without
 * memory. */
struct image *images_take(struct images *images, const struct image_text *text);
/* One more reference; NULL gives NULL. */
struct image *image_share(struct image *image);
/* One reference less; the last frees it. NULL is fine. */
void images_release(struct images *images, struct image *image);

/* Of NULL: "". Owned by the image. */
const char *image_tool(const struct image *image);
const char *image_tool_kind(const struct image *image);
const char *image_exe(const struct image *image);
const char *image_cwd(const struct image *image);
uint32_t image_missing_bytes(const struct image *image);
size_t image_argc(const struct image *image);
/* Fills args (room for image_argc pointers). */
void image_argv(const struct image *image, char **args);
