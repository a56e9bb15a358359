/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/sample_figures.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/varint.h"

#define FIELDS_MAX 64 /* of Batch, of Sample */
#define NUMBER_END 128

#define FIGURES (&signal__figures__descriptor)

/* A message type without one of its fields, or with another type of one. */
struct type {
	ProtobufCMessageDescriptor descriptor;
	ProtobufCFieldDescriptor fields[FIELDS_MAX];
	ProtobufCIntRange ranges[FIELDS_MAX + 1];
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct type sample_type, batch_type;
static bool known[NUMBER_END]; /* numbers of figures */

/* Numbers of signal.proto. */
enum { SAMPLE_FIGURES = 8, USER_NS = 1, KERNEL_NS = 2, RSS_PEAK_BYTES = 13 };

static void add_field(struct type *type, const ProtobufCFieldDescriptor *field)
{
	unsigned index = type->descriptor.n_fields++;

	assert(index < FIELDS_MAX);
	type->fields[index] = *field;
	if (!index || field->id != type->fields[index - 1].id + 1)
		type->ranges[type->descriptor.n_field_ranges++] =
			(ProtobufCIntRange){ (int)field->id, index };
	type->ranges[type->descriptor.n_field_ranges] = (ProtobufCIntRange){ 0, index + 1 };
}

/* Begins with no fields. It has no names: it is only read by number. */
static void begin(struct type *type, const ProtobufCMessageDescriptor *as)
{
	type->descriptor = *as;
	type->descriptor.n_fields = 0;
	type->descriptor.n_field_ranges = 0;
	type->descriptor.fields = type->fields;
	type->descriptor.field_ranges = type->ranges;
	type->descriptor.fields_sorted_by_name = NULL;
}

static void make_types(void)
{
	const ProtobufCMessageDescriptor *sample = &signal__sample__descriptor;
	const ProtobufCMessageDescriptor *batch = &signal__batch__descriptor;

	begin(&sample_type, sample);
	for (unsigned i = 0; i < sample->n_fields; i++) {
		assert((sample->fields[i].descriptor == FIGURES) ==
		       (sample->fields[i].id == SAMPLE_FIGURES));
		if (sample->fields[i].id != SAMPLE_FIGURES)
			add_field(&sample_type, &sample->fields[i]);
	}
	begin(&batch_type, batch);
	for (unsigned i = 0; i < batch->n_fields; i++) {
		ProtobufCFieldDescriptor field = batch->fields[i];

		if (field.descriptor == sample)
			field.descriptor = &sample_type.descriptor;
		add_field(&batch_type, &field);
	}
	for (unsigned i = 0; i < FIGURES->n_fields; i++) {
		assert(FIGURES->fields[i].id < NUMBER_END);
		known[FIGURES->fields[i].id] = true;
	}
}

const ProtobufCMessageDescriptor *sample_figures_batch(void)
{
	pthread_once(&once, make_types);
	return &batch_type.descriptor;
}

bool packed_figures_next(struct packed_figures *figures, uint64_t *ret_number, uint64_t *ret_value)
{
	uint64_t tag;

	if (!varint_get(&figures->at, figures->end, &tag) || tag & 7 || /* not a varint */
	    !varint_get(&figures->at, figures->end, ret_value))
		return false;
	*ret_number = tag >> 3;
	return true;
}

static bool is_packed_well(struct packed_figures rest)
{
	uint64_t last = 0, number, value;

	while (rest.at < rest.end) {
		if (!packed_figures_next(&rest, &number, &value) || !value || number <= last ||
		    number >= NUMBER_END || !known[number])
			return false;
		last = number;
	}
	return true;
}

/* What an unknown field has behind its length. */
static bool content_of(const ProtobufCMessageUnknownField *field, struct packed_figures *ret)
{
	uint64_t len;

	*ret = (struct packed_figures){ field->data, field->data + field->len };
	return field->tag == SAMPLE_FIGURES &&
	       field->wire_type == PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED &&
	       varint_get(&ret->at, ret->end, &len) && len == (uint64_t)(ret->end - ret->at);
}

static bool content_of_sample(const Signal__Sample *sample, struct packed_figures *ret)
{
	return !sample->figures && sample->base.n_unknown_fields == 1 &&
	       content_of(&sample->base.unknown_fields[0], ret);
}

/* Moves the fields that are figures from the unknown fields to `bytes`, as on the wire. */
static size_t take_fields(Signal__Sample *sample, uint8_t *bytes)
{
	ProtobufCMessage *message = &sample->base;
	size_t len = 0, kept = 0;

	for (size_t i = 0; i < message->n_unknown_fields; i++) {
		ProtobufCMessageUnknownField field = message->unknown_fields[i];

		if (field.tag != SAMPLE_FIGURES) {
			message->unknown_fields[kept++] = field;
			continue;
		}
		len += varint_put(bytes + len, field.tag << 3 | field.wire_type);
		memcpy(bytes + len, field.data, field.len);
		len += field.len;
	}
	message->n_unknown_fields = (unsigned)kept;
	return len;
}

/* Reads a sample that has nothing else, as protobuf-c does. */
static int unpack(Signal__Sample *sample, ProtobufCAllocator *allocator)
{
	const ProtobufCMessage *message = &sample->base;
	size_t len = 0;
	uint8_t *bytes;
	Signal__Sample *part;

	for (size_t i = 0; i < message->n_unknown_fields; i++)
		len += VARINT_BYTES + message->unknown_fields[i].len;
	bytes = allocator->alloc(allocator->allocator_data, len);
	if (!bytes)
		return -EPROTO;
	len = take_fields(sample, bytes);
	part = signal__sample__unpack(allocator, len, bytes);
	sample->figures = part ? part->figures : NULL;
	return part ? 0 : -EPROTO;
}

int sample_figures_check(Signal__Sample *sample, ProtobufCAllocator *allocator)
{
	struct packed_figures packed;

	pthread_once(&once, make_types);
	if (!sample->base.n_unknown_fields ||
	    (content_of_sample(sample, &packed) && is_packed_well(packed)))
		return 0;
	return unpack(sample, allocator);
}

bool sample_figures_packed(const Signal__Sample *sample, ProtobufCBinaryData *ret)
{
	struct packed_figures packed;

	if (!content_of_sample(sample, &packed))
		return false;
	*ret = (ProtobufCBinaryData){ (size_t)(packed.end - packed.at), (uint8_t *)packed.at };
	return true;
}

void sample_figures_read(const Signal__Sample *sample, struct sample_figures *ret)
{
	const Signal__Figures *figures = sample->figures;
	uint64_t number = 0, value;
	struct packed_figures packed;

	*ret = (struct sample_figures){ 0 };
	if (figures)
		*ret = (struct sample_figures){ figures->user_ns, figures->kernel_ns,
						figures->rss_peak_bytes };
	if (!content_of_sample(sample, &packed))
		return;
	while (number < RSS_PEAK_BYTES && packed_figures_next(&packed, &number, &value)) {
		if (number == USER_NS)
			ret->user_ns = value;
		else if (number == KERNEL_NS)
			ret->kernel_ns = value;
		else if (number == RSS_PEAK_BYTES)
			ret->rss_peak_bytes = value;
	}
}
