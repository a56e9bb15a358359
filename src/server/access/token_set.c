/* SPDX-License-Identifier: Apache-2.0 */
#include "server/access/token_set.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "server/access/token_files.h"

void token_set_clear(struct token_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		token_record_clear(&set->items[i]);
	free(set->items);
	*set = (struct token_set){ 0 };
}

int token_set_add(struct token_set *set, struct token_record *record)
{
	if (set->count == set->room) {
		size_t room = set->room ? 2 * set->room : 16;
		struct token_record *items = realloc(set->items, room * sizeof(*items));

		if (!items)
			return -ENOMEM;
		set->items = items;
		set->room = room;
	}
	set->items[set->count++] = *record;
	record->reader = NULL;
	return 0;
}

static int compare_digests(const struct secret_digest *a, const struct secret_digest *b)
{
	return memcmp(a->bytes, b->bytes, sizeof(a->bytes));
}

static int compare(const void *a_, const void *b_)
{
	const struct token_record *a = a_, *b = b_;
	int order = compare_digests(&a->digest, &b->digest);

	return order ? order : strcmp(a->id, b->id);
}

void token_set_sort(struct token_set *set)
{
	if (set->count)
		qsort(set->items, set->count, sizeof(*set->items), compare);
}

static bool is_there(const struct token_record *record, const struct plain_set *plain)
{
	if (!*record->file)
		return true;
	for (size_t i = 0; i < plain->count; i++)
		if (strcmp(plain->items[i].name, record->file) == 0)
			return secret_equal(&plain->items[i].digest, &record->digest);
	return false;
}

struct token_record *token_set_find(const struct token_set *set, const struct plain_set *plain,
				    const struct secret_digest *digest)
{
	size_t begin = 0, end = set->count;

	while (begin < end) {
		size_t middle = begin + (end - begin) / 2;

		if (compare_digests(&set->items[middle].digest, digest) < 0)
			begin = middle + 1;
		else
			end = middle;
	}
	for (; begin < set->count && secret_equal(&set->items[begin].digest, digest); begin++)
		if (is_there(&set->items[begin], plain))
			return &set->items[begin];
	return NULL;
}

static int take_record(struct token_record *record, void *set)
{
	return token_set_add(set, record);
}

int token_set_read(struct token_set *ret, const char *folder, bool quiet, struct error *err)
{
	int rc = token_files_visit(folder, quiet, take_record, ret, err);

	if (rc == -ENOMEM)
		return error_set(err, rc, "no memory for the tokens");
	token_set_sort(ret);
	return rc;
}

static int take_plain(const struct plain_token *token, void *context)
{
	struct plain_set *set = context;
	struct plain_file *file = &set->items[set->count++];

	*file = (struct plain_file){ .scope = token->scope,
				     .digest = token->digest,
				     .changed_at = token->changed_at };
	snprintf(file->name, sizeof(file->name), "%s", token->name);
	return 0;
}

int plain_set_read(struct plain_set *ret, const char *folder, bool quiet, struct error *err)
{
	size_t count;

	ret->count = 0;
	return plain_tokens_visit(folder, quiet, take_plain, ret, &count, err);
}

/* The id of a plain token follows from its name and secret: another secret is another token. */
static void make_record(const struct plain_file *file, struct token_record *ret)
{
	char digest[SECRET_HEX_SIZE], key[TOKEN_NAME_SIZE + SECRET_HEX_SIZE + 1];
	struct secret_digest of_both;

	secret_to_hex(&file->digest, digest);
	snprintf(key, sizeof(key), "%s %s", file->name, digest);
	of_both = secret_digest(key);
	secret_to_hex(&of_both, digest);
	*ret = (struct token_record){ .scope = file->scope,
				      .digest = file->digest,
				      .created_at = file->changed_at };
	snprintf(ret->id, sizeof(ret->id), "%.*s", TOKEN_ID_SIZE - 1, digest);
	snprintf(ret->name, sizeof(ret->name), "%s", file->name);
	snprintf(ret->file, sizeof(ret->file), "%s", file->name);
	snprintf(ret->group, sizeof(ret->group), TOKEN_GROUP);
}

static bool has_record(const struct token_set *set, const struct token_record *record)
{
	for (size_t i = 0; i < set->count; i++)
		if (strcmp(set->items[i].id, record->id) == 0)
			return true;
	return false;
}

int token_set_import(struct token_set *set, const struct plain_set *plain, const char *folder,
		     bool quiet, struct error *err)
{
	for (size_t i = 0; i < plain->count; i++) {
		struct error why = { "" };
		struct token_record record;

		make_record(&plain->items[i], &record);
		if (has_record(set, &record))
			continue;
		if (token_files_add(folder, &record, &why) && !quiet)
			log_warning("%s: the token of the file %s cannot be bound to a host",
				    error_text(&why), record.file);
		if (token_set_add(set, &record))
			return error_set(err, -ENOMEM, "no memory for the tokens");
	}
	token_set_sort(set);
	return 0;
}
