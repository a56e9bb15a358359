/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/figures/duckdb_functions.h"

#include "lake/duckdb/figures/duckdb_figure_sums.h"
#include "lake/duckdb/figures/duckdb_figures.h"
#include "lake/duckdb/figures/duckdb_figures_now.h"

int duckdb_functions_register(duckdb_connection connection, struct error *err)
{
	int rc = duckdb_figures_register(connection, err);

	if (!rc)
		rc = duckdb_figure_sums_register(connection, err);
	return rc ? rc : duckdb_figures_now_register(connection, err);
}
