/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* A database that is asked in SQL, with the functions of src/lake/duckdb/figures/. One at a time.
 */

/* path: the file of a store that is closed; NULL: a database in memory. */
void sql_open(const char *path);
void sql_close(void);
/* The first value of the answer as text ("NULL" for none) is `expected`, or the words of an error
 * contain it. what: said where it fails. */
void assert_sql(const char *what, const char *sql, const char *expected);
