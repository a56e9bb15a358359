/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stddef.h>

#include "base/error.h"

/*
 * An XML document of AWS as a tree of JSON: an element with elements in it is an object of them, or
 * an array where they are called "item" or "member"; one without is a text. Of two elements of one
 * name the last counts. Attributes are left out.
 */
#define XML_TREE_DEPTH    24
#define XML_TREE_ELEMENTS 500000

/* The content of the outermost element, which the caller json_decref()s. -EPROTO with words: it is
 * no XML, has a document type (and with it entities), or more than the above; -ENOMEM. */
int xml_tree_parse(const char *text, size_t len, json_t **ret, struct error *err);
