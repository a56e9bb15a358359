/* SPDX-License-Identifier: Apache-2.0 */
#include "cloud/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/utf8.h"

#define DIGITS   "0123456789"
#define LOWER    "abcdefghijklmnopqrstuvwxyz"
#define UPPER    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define KEY_MORE "+-=.,_:@"

/* The form of a fact: how it begins, of which letters the rest is, and which of them must be there.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-categories.html
 * https://cloud.google.com/compute/docs/metadata/predefined-metadata-keys
 * https://cloud.google.com/resource-manager/docs/creating-managing-projects (ids of projects) */
static const struct form {
	const char *provider;
	enum cloud_fact fact;
	const char *start, *first, *letters;
	size_t least, most; /* bytes, without the start */
	char has;           /* 0: none */
} forms[] = {
	{ "aws", CLOUD_INSTANCE_ID, "i-", LOWER DIGITS, LOWER DIGITS, 1, 32, 0 },
	{ "aws", CLOUD_INSTANCE_TYPE, "", LOWER, LOWER DIGITS "-.", 3, 40, '.' },
	{ "aws", CLOUD_REGION, "", LOWER, LOWER DIGITS "-", 4, 40, '-' },
	{ "aws", CLOUD_ZONE, "", LOWER, LOWER DIGITS "-", 4, 50, '-' },
	{ "aws", CLOUD_ACCOUNT_ID, "", DIGITS, DIGITS, 12, 12, 0 },
	{ "gcp", CLOUD_INSTANCE_ID, "", DIGITS, DIGITS, 1, 20, 0 },
	{ "gcp", CLOUD_INSTANCE_TYPE, "", LOWER, LOWER DIGITS "-", 3, 60, '-' },
	{ "gcp", CLOUD_REGION, "", LOWER, LOWER DIGITS "-", 4, 40, '-' },
	{ "gcp", CLOUD_ZONE, "", LOWER, LOWER DIGITS "-", 4, 50, '-' },
	{ "gcp", CLOUD_ACCOUNT_ID, "", LOWER, LOWER DIGITS ".:-", 4, 60, 0 },
};

static bool has_form(const struct form *form, const char *text)
{
	size_t len;

	if (!text_starts_with(text, form->start))
		return false;
	text += strlen(form->start);
	len = strlen(text);
	return len >= form->least && len <= form->most && strchr(form->first, text[0]) &&
	       text[strspn(text, form->letters)] == '\0' && (!form->has || strchr(text, form->has));
}

static bool fits(const char *provider, enum cloud_fact fact, const char *text)
{
	if (fact == CLOUD_PURCHASE)
		return strcmp(text, "spot") == 0 || strcmp(text, "on_demand") == 0;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (forms[i].fact == fact && strcmp(forms[i].provider, provider) == 0)
			return has_form(&forms[i], text);
	return false;
}

void cloud_machine_init(struct cloud_machine *machine, const char *provider)
{
	*machine = (struct cloud_machine){ .provider = provider };
}

void cloud_machine_clear(struct cloud_machine *machine)
{
	for (size_t i = 0; i < machine->tag_count; i++) {
		free(machine->tags[i].key);
		free(machine->tags[i].value);
	}
	cloud_machine_init(machine, "");
}

bool cloud_machine_set(struct cloud_machine *machine, enum cloud_fact fact, const char *text)
{
	if (!fits(machine->provider, fact, text))
		return false;
	(void)snprintf(machine->facts[fact], CLOUD_FACT_SIZE, "%s", text);
	return true;
}

bool cloud_tag_key_fits(const char *key)
{
	size_t len = strlen(key);

	return len > 0 && len <= CLOUD_TAG_KEY &&
	       key[strspn(key, LOWER UPPER DIGITS KEY_MORE)] == '\0';
}

bool cloud_machine_add_tag(struct cloud_machine *machine, const char *key, const char *value)
{
	CLEANUP(freep) char *own_key = NULL;
	CLEANUP(freep) char *own_value = NULL;
	size_t len = strlen(value);

	if (machine->tag_count == CLOUD_TAGS_MAX || !cloud_tag_key_fits(key) ||
	    len > CLOUD_TAG_VALUE || !utf8_is_plain(value, len))
		return false;
	own_key = strdup(key);
	own_value = strdup(value);
	if (!own_key || !own_value)
		return false;
	machine->tags[machine->tag_count++] =
		(struct cloud_tag){ TAKE_PTR(own_key), TAKE_PTR(own_value) };
	return true;
}

bool cloud_machine_agrees(const struct cloud_machine *machine)
{
	return text_starts_with(machine->facts[CLOUD_ZONE], machine->facts[CLOUD_REGION]) ||
	       !*machine->facts[CLOUD_ZONE];
}

bool cloud_machine_is_spot(const struct cloud_machine *machine)
{
	return strcmp(machine->facts[CLOUD_PURCHASE], "spot") == 0;
}
