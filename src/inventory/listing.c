/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory/listing.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include "inventory/fetch/fetch.h"
#include "inventory/provider.h"
#include "inventory/utc.h"

static const struct inventory_provider *const PROVIDERS[] = { &INVENTORY_AWS, &INVENTORY_GCP };

const struct inventory_provider *inventory_provider_find(const char *name)
{
	for (size_t i = 0; i < sizeof(PROVIDERS) / sizeof(PROVIDERS[0]); i++)
		if (strcmp(PROVIDERS[i]->name, name) == 0)
			return PROVIDERS[i];
	return NULL;
}

const char *listing_text(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? text : "";
}

/* A line that is being written. */
struct line {
	struct buffer out;
	struct json json;
};

static void line_clear(struct line *line)
{
	buffer_clear(&line->out);
}

static void put(struct line *line, const char *key, const char *text)
{
	char cut[INVENTORY_TEXT + 1];
	size_t len = text ? strlen(text) : 0;

	if (len > INVENTORY_TEXT)
		len = INVENTORY_TEXT;
	memcpy(cut, text ? text : "", len);
	cut[len] = '\0';
	for (char *byte = cut; *byte; byte++)
		if (iscntrl((unsigned char)*byte))
			*byte = ' ';
	json_key(&line->json, key);
	json_text(&line->json, cut);
}

static void begin(struct line *line, const struct listing *listing, const char *kind)
{
	buffer_init(&line->out, INVENTORY_LINE);
	json_init(&line->json, &line->out, false);
	json_object_begin(&line->json);
	put(line, "kind", kind);
	put(line, "account", listing->account->name);
	put(line, "provider", listing->account->provider);
	put(line, "account_id", listing->account_id);
}

static int end(struct line *line, const struct listing *listing)
{
	json_object_end(&line->json);
	if (line->out.failed)
		return -ENOMEM;
	return listing->sink->line(listing->sink->context, line->out.data, line->out.len);
}

/* Tags by which people say who something belongs to, in any case. */
static const char *const OWNERS[] = { "owner",     "user",       "username",
				      "creator",   "created-by", "created_by",
				      "createdby", "contact",    "email" };

static const char *owner_of(const json_t *tags)
{
	for (size_t i = 0; i < sizeof(OWNERS) / sizeof(OWNERS[0]); i++) {
		const char *name;
		json_t *value;

		json_object_foreach((json_t *)tags, name,
				    value) if (strcasecmp(name, OWNERS[i]) == 0 &&
					       json_string_length(value) >
						       0) return json_string_value(value);
	}
	return "";
}

static void put_tags(struct line *line, const json_t *tags)
{
	size_t count = 0;
	const char *name;
	json_t *value;

	put(line, "owner", owner_of(tags));
	json_key(&line->json, "tags");
	json_object_begin(&line->json);
	json_object_foreach((json_t *)tags, name, value) if (json_is_string(value) &&
							     strlen(name) <= INVENTORY_TEXT &&
							     count++ < INVENTORY_TAGS)
		put(line, name, json_string_value(value));
	json_object_end(&line->json);
}

static int count_row(struct listing *listing)
{
	listing->of_part++;
	return ++listing->rows > INVENTORY_ROWS ? -ENOSPC : 0;
}

int listing_machine(struct listing *listing, const struct listed_machine *machine)
{
	CLEANUP(line_clear) struct line line = { .out = { 0 } };
	char at[CLOCK_TEXT_SIZE];
	int rc = count_row(listing);

	if (rc)
		return rc;
	begin(&line, listing, "machine");
	put(&line, "region", machine->region);
	put(&line, "zone", machine->zone);
	put(&line, "id", machine->id);
	put(&line, "name", machine->name);
	put(&line, "hostname", machine->hostname);
	put(&line, "type", machine->type);
	put(&line, "purchase", machine->purchase);
	put(&line, "image", machine->image);
	put(&line, "state", machine->state);
	put(&line, "group", machine->group);
	put(&line, "launched_at", utc_text(machine->launched_at, at));
	put_tags(&line, machine->tags);
	return end(&line, listing);
}

int listing_volume(struct listing *listing, const struct listed_volume *volume)
{
	CLEANUP(line_clear) struct line line = { .out = { 0 } };
	char at[CLOCK_TEXT_SIZE];
	int rc = count_row(listing);

	if (rc)
		return rc;
	begin(&line, listing, "volume");
	put(&line, "region", volume->region);
	put(&line, "zone", volume->zone);
	put(&line, "id", volume->id);
	put(&line, "name", volume->name);
	put(&line, "type", volume->type);
	put(&line, "attached_to", volume->attached_to);
	put(&line, "created_at", utc_text(volume->created_at, at));
	put(&line, "detached_at", utc_text(volume->detached_at, at));
	json_key(&line.json, "bytes");
	json_u64(&line.json, volume->bytes);
	put_tags(&line, volume->tags);
	return end(&line, listing);
}

static void put_end(struct line *line, bool complete, const char *error)
{
	json_key(&line->json, "complete");
	json_bool(&line->json, complete);
	put(line, "error", error);
}

static int write_part(struct listing *listing, const char *region, const char *what, int rc,
		      const struct error *err)
{
	CLEANUP(line_clear) struct line line = { .out = { 0 } };

	begin(&line, listing, "region");
	put(&line, "region", region);
	put(&line, "what", what);
	json_key(&line.json, "count");
	json_u64(&line.json, listing->of_part);
	put_end(&line, rc == 0, rc ? error_text(err) : "");
	listing->of_part = 0;
	return end(&line, listing);
}

static void note_error(struct listing *listing, int rc, const struct error *err)
{
	listing->incomplete = true;
	if (listing->first_rc)
		return;
	listing->first_rc = rc;
	listing->first = *err;
}

int listing_part(struct listing *listing, const char *region, const char *what, int rc,
		 const struct error *err)
{
	struct error full = { "" };

	if (rc == -ENOSPC) {
		error_set(&full, rc, "the account has more than %d machines and volumes",
			  INVENTORY_ROWS);
		err = &full;
	}
	if (rc)
		note_error(listing, rc, err);
	return write_part(listing, region, what, rc, err);
}

static int write_listing(struct listing *listing, int64_t begun_at)
{
	CLEANUP(line_clear) struct line line = { .out = { 0 } };
	char at[CLOCK_TEXT_SIZE];

	begin(&line, listing, "listing");
	put(&line, "at", clock_format(begun_at, at));
	put(&line, "until_at", clock_format(clock_real_ns(), at));
	put_end(&line, !listing->incomplete,
		listing->incomplete ? error_text(&listing->first) : "");
	return end(&line, listing);
}

int inventory_list(const struct inventory_account *account, const struct inventory_sink *sink,
		   struct error *err)
{
	const struct inventory_provider *provider = inventory_provider_find(account->provider);
	CLEANUP(fetch_freep) struct fetch *fetch = fetch_new(account->timeout_ns);
	struct listing listing = { .account = account, .sink = sink, .fetch = fetch };
	int64_t begun_at = clock_real_ns();
	struct error words = { "" };
	int rc;

	if (!provider)
		return error_set(err, -EINVAL, "there is no provider \"%s\"", account->provider);
	if (!fetch)
		return error_set(err, -ENOMEM, "out of memory");
	listing.until_ns = clock_monotonic_ns() + INVENTORY_LISTING_S * NS_PER_S;
	rc = provider->list(&listing, &words);
	if (rc)
		note_error(&listing, rc, &words);
	rc = write_listing(&listing, begun_at);
	if (rc)
		return error_set(err, rc, "what was listed is not written: %s", strerror(-rc));
	return listing.first_rc ? error_set(err, listing.first_rc, "%s", error_text(&listing.first))
				: 0;
}
