/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/figures.h"

#include <assert.h>
#include <string.h>

static uint64_t value_of(const Signal__Figures *figures, const ProtobufCFieldDescriptor *field)
{
	uint64_t value;

	memcpy(&value, (const char *)figures + field->offset, sizeof(value));
	return value;
}

_Static_assert(FIGURES_COUNT <= 64, "a bit for each must fit");

/* All fields of the message are uint64 and neither repeated nor optional. */
static size_t pack(const Signal__Figures *figures, uint8_t *at)
{
	const ProtobufCFieldDescriptor *fields = signal__figures__descriptor.fields;
	uint64_t present = 0;
	size_t len = 0;

	for (unsigned i = 0; i < FIGURES_COUNT; i++)
		present |= (uint64_t)(value_of(figures, &fields[i]) != 0) << i;
	for (uint64_t left = present; left; left &= left - 1) {
		const ProtobufCFieldDescriptor *field = &fields[__builtin_ctzll(left)];

		len += varint_put(at + len, (uint64_t)field->id << 3);
		len += varint_put(at + len, value_of(figures, field));
	}
	return len;
}

/* The number of the field that holds figures; 0: the message has none. */
static uint32_t number_of(const ProtobufCMessageDescriptor *message)
{
	for (unsigned i = message->n_fields; i-- > 0;) {
		if (message->fields[i].descriptor == &signal__figures__descriptor)
			return message->fields[i].id;
	}
	return 0;
}

void figures_put(ProtobufCMessage *message, const Signal__Figures *figures,
		 struct figures_field *ret)
{
	uint8_t *fields = ret->bytes + VARINT_BYTES, prefix[VARINT_BYTES];
	size_t len = pack(figures, fields), prefix_len = varint_put(prefix, len);

	memcpy(fields - prefix_len, prefix, prefix_len);
	ret->field.tag = number_of(message->descriptor);
	assert(ret->field.tag);
	ret->field.wire_type = PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED;
	ret->field.data = fields - prefix_len;
	ret->field.len = prefix_len + len;
	message->unknown_fields = &ret->field;
	message->n_unknown_fields = 1;
}

#define DELTA_SUM(name)   delta.name = later->name > earlier->name ? later->name - earlier->name : 0;
#define DELTA_WAIT(name)  DELTA_SUM(name)
#define DELTA_LEVEL(name) delta.name = later->name;
#define DELTA_PEAK(name)  delta.name = later->name;

void figures_delta(const Signal__Figures *earlier, const Signal__Figures *later,
		   Signal__Figures *ret)
{
	Signal__Figures delta = SIGNAL__FIGURES__INIT;

#define F(name, kind) DELTA_##kind(name)
	FIGURES(F)
#undef F
	*ret = delta;
}
