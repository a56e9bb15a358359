/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory/aws/aws_credentials.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "inventory/listing.h"

NO_LEAK_ANALYSIS

#define FILE_LIMIT (256u << 10)

static void forget(char *secret)
{
	if (secret)
		OPENSSL_cleanse(secret, strlen(secret));
	free(secret);
}

void aws_credentials_clear(struct aws_credentials *credentials)
{
	forget(credentials->key_id);
	forget(credentials->secret);
	forget(credentials->token);
	*credentials = (struct aws_credentials){ 0 };
}

DEFINE_CLEANUP(char *, forget)

/* Cuts white space at both ends, in place. */
static char *trim(char *text)
{
	size_t len;

	text += strspn(text, " \t\r");
	len = strlen(text);
	while (len > 0 && strchr(" \t\r", text[len - 1]))
		text[--len] = '\0';
	return text;
}

/* "[NAME]", or "[profile NAME]" as of ~/.aws/config. */
static bool begins_section(char *line, const char *profile, bool *ret_inside)
{
	size_t len = strlen(line);
	char *name;

	if (len < 2 || line[0] != '[' || line[len - 1] != ']')
		return false;
	line[len - 1] = '\0';
	name = trim(line + 1);
	if (strncmp(name, "profile ", 8) == 0)
		name = trim(name + 8);
	*ret_inside = strcmp(name, profile) == 0;
	return true;
}

static int take_value(char *line, struct aws_credentials *credentials)
{
	const struct {
		const char *name;
		char **into;
	} fields[] = {
		{ "aws_access_key_id", &credentials->key_id },
		{ "aws_secret_access_key", &credentials->secret },
		{ "aws_session_token", &credentials->token },
	};
	char *equal = strchr(line, '=');

	if (!equal)
		return 0;
	*equal = '\0';
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (strcmp(trim(line), fields[i].name) != 0)
			continue;
		forget(*fields[i].into);
		*fields[i].into = strdup(trim(equal + 1));
		return *fields[i].into ? 0 : -ENOMEM;
	}
	return 0;
}

static bool is_printable(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text <= ' ' || (unsigned char)*text >= 0x7f)
			return false;
	return true;
}

static int check(const struct aws_credentials *found, bool has_section, const char *origin,
		 const char *profile, struct error *err)
{
	if (!has_section)
		return error_set(err, -ENOENT, "%s: there is no section [%s]", origin, profile);
	if (!found->key_id || !found->secret || !*found->key_id || !*found->secret)
		return error_set(err, -EINVAL,
				 "%s: [%s] needs aws_access_key_id and aws_secret_access_key",
				 origin, profile);
	if (!is_printable(found->key_id) || !is_printable(found->secret) ||
	    (found->token && !is_printable(found->token)))
		return error_set(err, -EINVAL,
				 "%s: a value of [%s] has spaces or characters that no key has",
				 origin, profile);
	return 0;
}

int aws_credentials_parse(const char *text, const char *origin, const char *profile,
			  struct aws_credentials *ret, struct error *err)
{
	CLEANUP(aws_credentials_clear) struct aws_credentials found = { 0 };
	CLEANUP(forgetp) char *copy = strdup(text);
	bool inside = false, has_section = false;
	char *rest = copy, *line;
	int rc = copy ? 0 : error_set(err, -ENOMEM, "out of memory");

	while (rc == 0 && (line = strsep(&rest, "\n"))) {
		line = trim(line);
		if (*line == '#' || *line == ';')
			continue;
		if (!begins_section(line, profile, &inside) && inside)
			rc = take_value(line, &found);
		has_section |= inside;
	}
	if (rc == 0)
		rc = check(&found, has_section, origin, profile, err);
	if (rc)
		return rc;
	if (found.token && !*found.token)
		free(TAKE_PTR(found.token));
	*ret = found;
	found = (struct aws_credentials){ 0 };
	return 0;
}

int aws_credentials_read(const struct listing *listing, struct aws_credentials *ret,
			 struct error *err)
{
	const struct inventory_account *account = listing->account;
	CLEANUP(forgetp) char *text = NULL;
	size_t len = 0;
	int rc;

	if (!*account->credentials_file)
		return aws_credentials_ask(listing, ret, err);
	rc = file_read(AT_FDCWD, account->credentials_file, FILE_LIMIT, &text, &len);
	if (rc)
		return error_set(
			err, rc,
			"credentials-file %s: %s; the lake's account must be able to read it",
			account->credentials_file, strerror(-rc));
	return aws_credentials_parse(text, account->credentials_file, account->profile, ret, err);
}
