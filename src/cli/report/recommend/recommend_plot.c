/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/recommend/recommend_plot.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "cli/report/recommend/recommend_table.h"
#include "cli/terminal/print.h"

#define ROWS        11
#define WIDTH_MOST  64
#define WIDTH_LEAST 24
#define AXIS_WIDTH  10 /* of the labels before the plot */
#define ROOM        0.03

struct axis {
	double low, high; /* logarithms */
};

struct plot {
	struct axis cost, wall;
	size_t width, points;
	char cells[ROWS][WIDTH_MOST + 1];
};

static bool read_point(const json_t *row, double *ret_cost, double *ret_wall)
{
	*ret_cost = json_number_value(json_object_get(row, "cost_usd"));
	*ret_wall = json_number_value(json_object_get(row, "wall_s"));
	return *ret_cost > 0 && *ret_wall > 0;
}

static void widen(struct plot *plot, const json_t *row)
{
	double cost, wall;

	if (!read_point(row, &cost, &wall))
		return;
	plot->cost.low = fmin(plot->cost.low, log(cost));
	plot->cost.high = fmax(plot->cost.high, log(cost));
	plot->wall.low = fmin(plot->wall.low, log(wall));
	plot->wall.high = fmax(plot->wall.high, log(wall));
	plot->points++;
}

static void give_room(struct axis *axis)
{
	double room = fmax(ROOM * (axis->high - axis->low), ROOM);

	axis->low -= room;
	axis->high += room;
}

static size_t place(const struct axis *axis, double value, size_t cells)
{
	double part = (log(value) - axis->low) / (axis->high - axis->low);

	return (size_t)fmin(fmax(part * (double)cells, 0), (double)cells - 1);
}

/* A letter is not covered by a point. */
static void put(struct plot *plot, const json_t *row, char sign)
{
	double cost, wall;
	char *cell;

	if (!read_point(row, &cost, &wall))
		return;
	cell = &plot->cells[ROWS - 1 - place(&plot->wall, wall, ROWS)]
			   [place(&plot->cost, cost, plot->width)];
	if (*cell == ' ' || *cell == '.')
		*cell = sign;
}

static void fill(struct plot *plot, const json_t *document)
{
	const json_t *rows = json_object_get(document, "candidates"), *row;
	size_t i;

	for (size_t line = 0; line < ROWS; line++)
		memset(plot->cells[line], ' ', plot->width);
	put(plot, json_object_get(document, "measured"), 'M');
	json_array_foreach(rows, i, row) put(plot, row, recommend_sign(row, i));
}

static void print_axis(FILE *out, const struct plot *plot)
{
	static const struct column USD = { "usd", "", FORMAT_USD, 0 };
	const double ends[] = { exp(plot->cost.low), exp(plot->cost.high) };
	struct buffer texts[2] = { { 0 }, { 0 } };

	for (int i = 0; i < 2; i++) {
		json_t *value = json_pack("{s:f}", "usd", ends[i]);

		buffer_init(&texts[i], 0);
		print_value(&texts[i], value, &USD);
		json_decref(value);
	}
	fprintf(out, "%*s+", AXIS_WIDTH, "");
	for (size_t i = 0; i < plot->width; i++)
		fputc('-', out);
	if (!texts[0].failed && !texts[1].failed)
		fprintf(out, "\n%*s%s%*s cost\n", AXIS_WIDTH + 1, "", texts[0].data,
			(int)(plot->width > texts[0].len ? plot->width - texts[0].len : 0),
			texts[1].data);
	buffer_clear(&texts[0]);
	buffer_clear(&texts[1]);
}

static void print_cells(FILE *out, const struct plot *plot)
{
	const double ends[] = { exp(plot->wall.high), exp(plot->wall.low) };
	char text[32];

	for (size_t line = 0; line < ROWS; line++) {
		bool labelled = line == 0 || line == ROWS - 1;

		*text = '\0';
		if (labelled)
			text_duration((uint64_t)(ends[line > 0] * (double)NS_PER_S), text,
				      sizeof(text));
		fprintf(out, "%*s|%.*s\n", AXIS_WIDTH, text, (int)plot->width, plot->cells[line]);
	}
}

void recommend_plot_print(FILE *out, const json_t *document)
{
	const json_t *row;
	struct plot plot = { .cost = { INFINITY, -INFINITY }, .wall = { INFINITY, -INFINITY } };
	size_t i, width = print_width(out);

	width = width ? width : WIDTH_MOST + AXIS_WIDTH + 2;
	if (width < WIDTH_LEAST + AXIS_WIDTH + 2)
		return;
	plot.width = width - AXIS_WIDTH - 2;
	plot.width = plot.width < WIDTH_MOST ? plot.width : WIDTH_MOST;
	widen(&plot, json_object_get(document, "measured"));
	json_array_foreach(json_object_get(document, "candidates"), i, row) widen(&plot, row);
	if (plot.points < 2)
		return;
	give_room(&plot.cost);
	give_room(&plot.wall);
	fill(&plot, document);
	print_cells(out, &plot);
	print_axis(out, &plot);
}
