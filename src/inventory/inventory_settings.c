/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory/inventory_settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/config/config_value.h"
#include "base/config/yaml_tree.h"
#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "inventory/provider.h"

NO_LEAK_ANALYSIS

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define TEXT_LIMIT   1024
#define NAME_LIMIT   63

#define OPTION(name, kind, field, preset, ...)                                             \
	{                                                                                  \
		.key = (name), .type = (kind),                                             \
		.offset = offsetof(struct inventory_account, field), .fallback = (preset), \
		.help = "", __VA_ARGS__                                                    \
	}

static const struct config_option OPTIONS[] = {
	OPTION("name", CONFIG_TEXT, name, ""),
	OPTION("provider", CONFIG_TEXT, provider, ""),
	OPTION("credentials-file", CONFIG_TEXT, credentials_file, ""),
	OPTION("profile", CONFIG_TEXT, profile, "default"),
	OPTION("role", CONFIG_TEXT, role, ""),
	OPTION("external-id", CONFIG_TEXT, external_id, ""),
	OPTION("endpoint", CONFIG_TEXT, endpoint, ""),
	OPTION("metadata-endpoint", CONFIG_TEXT, metadata_endpoint, ""),
	/* A machine costs the same for some minutes, and providers count requests. */
	OPTION("interval", CONFIG_DURATION, interval_ns, "5m", .min = 1e9, .max = 86400e9),
	OPTION("page-size", CONFIG_U64, page_size, "500", .min = 5,
	       .max = 1000), /* as EC2 allows */
	OPTION("timeout", CONFIG_DURATION, timeout_ns, "30s", .min = 1e9, .max = 300e9),
};

static const struct {
	const char *key;
	size_t offset;
} LISTS[] = {
	{ "regions", offsetof(struct inventory_account, regions) },
	{ "projects", offsetof(struct inventory_account, projects) },
};

static void names_clear(struct inventory_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
}

void inventory_settings_free(struct inventory_settings *settings)
{
	if (!settings)
		return;
	for (size_t i = 0; i < settings->count; i++) {
		config_clear(&settings->accounts[i], OPTIONS, COUNT(OPTIONS));
		names_clear(&settings->accounts[i].regions);
		names_clear(&settings->accounts[i].projects);
	}
	free(settings->accounts);
	free(settings);
}

/* A region or project becomes a part of a URL. */
static bool is_name(const char *text)
{
	for (; *text; text++)
		if (!text_is_alnum(*text) && !strchr("-._:", *text))
			return false;
	return true;
}

static int read_names(struct yaml_tree *tree, const yaml_node_t *node, struct inventory_names *ret)
{
	const yaml_node_item_t *item;
	const char *word;
	int rc = 0;

	if (node->type != YAML_SEQUENCE_NODE)
		return yaml_tree_fail(tree, node, "expected a list, as [us-east-1, eu-west-1]", "");
	if (node->data.sequence.items.top - node->data.sequence.items.start > INVENTORY_NAMES)
		return yaml_tree_fail(tree, node, "more than 64 names", "");
	if (ret->items)
		return yaml_tree_fail(tree, node, "a list that is given twice", "");
	ret->items = calloc(INVENTORY_NAMES, sizeof(*ret->items));
	if (!ret->items)
		return -ENOMEM;
	for (item = node->data.sequence.items.start;
	     rc == 0 && item < node->data.sequence.items.top; item++) {
		const yaml_node_t *value = yaml_tree_node(tree, *item);

		rc = yaml_tree_text(tree, value, 63, &word);
		if (rc == 0 && !is_name(word))
			rc = yaml_tree_fail(tree, value,
					    "not the name of a region or project: ", word);
		if (rc == 0)
			rc = (ret->items[ret->count] = strdup(word)) ? 0 : -ENOMEM;
		ret->count += rc == 0;
	}
	return rc;
}

static int read_value(struct yaml_tree *tree, const struct config_option *option,
		      const yaml_node_t *node, struct inventory_account *account)
{
	struct error words = { "" };
	const char *text;
	int rc = yaml_tree_text(tree, node, TEXT_LIMIT, &text);

	if (rc == 0)
		rc = config_set(account, option, text, &words);
	return rc == -EINVAL && *words.text ? yaml_tree_fail(tree, node, error_text(&words), "")
					    : rc;
}

static int unknown_key(struct yaml_tree *tree, const yaml_node_t *key)
{
	const char *known[COUNT(OPTIONS) + COUNT(LISTS)];

	for (size_t i = 0; i < COUNT(OPTIONS); i++)
		known[i] = OPTIONS[i].key;
	for (size_t i = 0; i < COUNT(LISTS); i++)
		known[COUNT(OPTIONS) + i] = LISTS[i].key;
	return yaml_tree_unknown(tree, key, "key", known, COUNT(known));
}

static int read_pair(struct yaml_tree *tree, const yaml_node_pair_t *pair,
		     struct inventory_account *account)
{
	const yaml_node_t *key = yaml_tree_node(tree, pair->key);
	const yaml_node_t *value = yaml_tree_node(tree, pair->value);
	const char *word;
	int rc = yaml_tree_text(tree, key, TEXT_LIMIT, &word);

	for (size_t i = 0; rc == 0 && i < COUNT(OPTIONS); i++)
		if (strcmp(OPTIONS[i].key, word) == 0)
			return read_value(tree, &OPTIONS[i], value, account);
	for (size_t i = 0; rc == 0 && i < COUNT(LISTS); i++)
		if (strcmp(LISTS[i].key, word) == 0)
			return read_names(tree, value,
					  (struct inventory_names *)(void *)((char *)account +
									     LISTS[i].offset));
	return rc ? rc : unknown_key(tree, key);
}

static int check_account(struct yaml_tree *tree, const yaml_node_t *node,
			 const struct inventory_settings *settings, size_t place)
{
	const struct inventory_account *account = &settings->accounts[place];

	if (!*account->name)
		return yaml_tree_fail(tree, node, "an account needs a 'name'", "");
	/* Lines are of the account that they name. */
	if (strlen(account->name) > NAME_LIMIT ||
	    !utf8_is_plain(account->name, strlen(account->name)))
		return yaml_tree_fail(tree, node,
				      "the 'name' of an account has at most 63 bytes of UTF-8, and "
				      "no control characters",
				      "");
	if (!inventory_provider_find(account->provider))
		return yaml_tree_fail(tree, node, "an account needs a 'provider', aws or gcp, not ",
				      account->provider);
	for (size_t i = 0; i < place; i++)
		if (strcmp(settings->accounts[i].name, account->name) == 0)
			return yaml_tree_fail(tree, node, "another account has the name ",
					      account->name);
	return 0;
}

static int read_account(struct yaml_tree *tree, const yaml_node_t *node,
			struct inventory_settings *settings)
{
	size_t place = settings->count++;
	struct inventory_account *account = &settings->accounts[place];
	int rc = config_defaults(account, OPTIONS, COUNT(OPTIONS));

	if (rc == 0 && node->type != YAML_MAPPING_NODE)
		rc = yaml_tree_fail(tree, node, "expected 'key: value' lines under accounts", "");
	if (rc)
		return rc;
	for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	     rc == 0 && pair < node->data.mapping.pairs.top; pair++)
		rc = read_pair(tree, pair, account);
	return rc ? rc : check_account(tree, node, settings, place);
}

static int read_accounts(struct yaml_tree *tree, const yaml_node_t *node,
			 struct inventory_settings *settings)
{
	size_t count;
	int rc = 0;

	if (node->type != YAML_SEQUENCE_NODE)
		return yaml_tree_fail(tree, node, "expected a list under accounts", "");
	count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
	if (count > INVENTORY_ACCOUNTS)
		return yaml_tree_fail(tree, node, "more than 64 accounts", "");
	settings->accounts = calloc(count + 1, sizeof(*settings->accounts));
	if (!settings->accounts)
		return -ENOMEM;
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = read_account(tree, yaml_tree_node(tree, node->data.sequence.items.start[i]),
				  settings);
	return rc;
}

static int read_root(struct yaml_tree *tree, const yaml_node_t *root,
		     struct inventory_settings *settings)
{
	const yaml_node_t *key;

	if (root->type == YAML_SCALAR_NODE && root->data.scalar.length == 0)
		return 0;
	if (root->type != YAML_MAPPING_NODE ||
	    root->data.mapping.pairs.top - root->data.mapping.pairs.start != 1)
		return yaml_tree_fail(tree, root, "expected accounts:, and no other key", "");
	key = yaml_tree_node(tree, root->data.mapping.pairs.start->key);
	if (key->type != YAML_SCALAR_NODE ||
	    strcmp((const char *)key->data.scalar.value, "accounts") != 0)
		return yaml_tree_fail(tree, key, "expected accounts:", "");
	return read_accounts(tree, yaml_tree_node(tree, root->data.mapping.pairs.start->value),
			     settings);
}

int inventory_settings_parse(const char *text, size_t len, const char *origin,
			     struct inventory_settings **ret, struct error *err)
{
	CLEANUP(inventory_settings_freep)
	struct inventory_settings *settings = calloc(1, sizeof(*settings));
	struct yaml_tree tree = { .origin = origin, .err = err };
	const yaml_node_t *root;
	int rc = settings ? yaml_tree_load(&tree, text, len) : -ENOMEM;

	if (rc)
		return rc == -ENOMEM ? error_set(err, rc, "%s: out of memory", origin) : rc;
	root = yaml_document_get_root_node(&tree.document);
	if (root)
		rc = read_root(&tree, root, settings);
	yaml_document_delete(&tree.document);
	if (rc == 0)
		*ret = TAKE_PTR(settings);
	return rc == -ENOMEM ? error_set(err, rc, "%s: out of memory", origin) : rc;
}

int inventory_settings_read(const char *path, struct inventory_settings **ret, struct error *err)
{
	CLEANUP(freep) char *text = NULL;
	size_t len = 0;
	int rc = file_read(AT_FDCWD, path, INVENTORY_FILE_BYTES, &text, &len);

	if (rc)
		return error_set(err, rc, "%s: %s", path,
				 rc == -EFBIG ? "more than 1 MiB of settings" : strerror(-rc));
	return inventory_settings_parse(text, len, path, ret, err);
}
