/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/varint.h"
#include "signal.pb-c.h"
#include "signal/figures_table.h"

/*
 * FIGURES(F) calls F(name, kind) for each figure. The names are those of the message Figures and of
 * the lake's columns (unit_lake_test_schema compares them). The table is figures.tsv, which also
 * explains the kinds; figures_table.h is generated from it.
 */

/* Figures as a field of another message, packed already: most are zero, and protobuf-c asks for
 * each of them twice, by its general means, which took a sixth of the agent's time in a storm. */
struct figures_room { /* of each its number and its value */
#define FIGURES_ROOM(name, kind) uint8_t name[2 * VARINT_BYTES];
	FIGURES(FIGURES_ROOM)
#undef FIGURES_ROOM
};
struct figures_field {
	ProtobufCMessageUnknownField field; /* protobuf-c writes such as they are */
	uint8_t bytes[VARINT_BYTES + sizeof(struct figures_room)]; /* their length, and they */
};

/* Gives message, of which nothing else is unknown, its figures; ret is the caller's and must stay
 * valid as long as the message. */
void figures_put(ProtobufCMessage *message, const Signal__Figures *figures,
		 struct figures_field *ret);

/* What a cumulative reading grew by since an earlier one: SUMs and WAITs as differences (never
 * below 0), LEVELs and PEAKs as in `later`. */
void figures_delta(const Signal__Figures *earlier, const Signal__Figures *later,
		   Signal__Figures *ret);
