/* SPDX-License-Identifier: Apache-2.0 */
#include "inventory/fetch/xml_tree.h"

#include <errno.h>
#include <expat.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"

#define TEXT_LIMIT 65536 /* bytes of an element */

DEFINE_CLEANUP(XML_Parser, XML_ParserFree)

struct element {
	char name[64];
	json_t *inside; /* object or array; NULL: only text so far */
};

struct reading {
	XML_Parser parser;
	struct element open[XML_TREE_DEPTH];
	unsigned depth;
	size_t count;
	struct buffer text; /* of the innermost element */
	json_t *root;
	const char *fault; /* why it was stopped */
};

static void stop(struct reading *reading, const char *fault)
{
	if (!reading->fault)
		reading->fault = fault;
	XML_StopParser(reading->parser, XML_FALSE);
}

static void begin_element(void *context, const XML_Char *name, const XML_Char **attributes)
{
	struct reading *reading = context;
	struct element *element = &reading->open[reading->depth];

	if (reading->depth == XML_TREE_DEPTH || ++reading->count > XML_TREE_ELEMENTS) {
		stop(reading, "it has too many elements");
		return;
	}
	*element = (struct element){ "", NULL };
	strncat(element->name, name, sizeof(element->name) - 1);
	reading->depth++;
	buffer_reset(&reading->text);
}

static bool is_item(const char *name)
{
	return strcmp(name, "item") == 0 || strcmp(name, "member") == 0;
}

/* Takes value. */
static int put(struct element *parent, const char *name, json_t *value)
{
	if (!parent->inside)
		parent->inside = is_item(name) ? json_array() : json_object();
	if (json_is_array(parent->inside))
		return json_array_append_new(parent->inside, value);
	return json_object_set_new(parent->inside, name, value);
}

static void end_element(void *context, const XML_Char *name)
{
	struct reading *reading = context;
	struct element *element = &reading->open[reading->depth - 1];
	json_t *value = element->inside ? element->inside
					: json_stringn(reading->text.data, reading->text.len);

	element->inside = NULL;
	reading->depth--;
	buffer_reset(&reading->text);
	if (reading->depth == 0)
		reading->root = value;
	else if (put(&reading->open[reading->depth - 1], element->name, value))
		stop(reading, "no memory");
}

static void take_text(void *context, const XML_Char *text, int len)
{
	struct reading *reading = context;

	buffer_append(&reading->text, text, (size_t)len);
	if (reading->text.failed)
		stop(reading, "it has a text that is too long");
}

/* Entities are declared there: a small file could become a large text. */
static void refuse_type(void *context, const XML_Char *name, const XML_Char *system,
			const XML_Char *public, int internal)
{
	stop(context, "it has a document type");
}

static void reading_clear(struct reading *reading)
{
	while (reading->depth > 0)
		json_decref(reading->open[--reading->depth].inside);
	json_decref(reading->root);
	buffer_clear(&reading->text);
}

int xml_tree_parse(const char *text, size_t len, json_t **ret, struct error *err)
{
	CLEANUP(XML_ParserFreep) XML_Parser parser = XML_ParserCreate("UTF-8");
	CLEANUP(reading_clear) struct reading reading = { .parser = parser };

	if (!parser)
		return error_set(err, -ENOMEM, "out of memory");
	buffer_init(&reading.text, TEXT_LIMIT);
	buffer_append_text(&reading.text, "");
	XML_SetUserData(parser, &reading);
	XML_SetElementHandler(parser, begin_element, end_element);
	XML_SetCharacterDataHandler(parser, take_text);
	XML_SetStartDoctypeDeclHandler(parser, refuse_type);
	if (XML_Parse(parser, text, (int)len, XML_TRUE) != XML_STATUS_OK || !reading.root)
		return error_set(err, -EPROTO, "the answer is no XML: %s",
				 reading.fault ? reading.fault
					       : XML_ErrorString(XML_GetErrorCode(parser)));
	*ret = TAKE_PTR(reading.root);
	return 0;
}
