-- SPDX-License-Identifier: Apache-2.0
-- The statements that store tables of settled runs again where one run of them would be read slowly. DuckDB unpacks 2,048 values of a
-- column to read one:
-- * A sum is a HUGEINT, and so are columns of tables that were made of sums. They are unpacked one by one, BIGINT in a tenth of the time.
-- * Texts that are compressed by ZSTD are unpacked all: 12 MB of documents. New ones are not (duckdb_open.c).
SELECT 'CREATE OR REPLACE TABLE ' || table_name || ' AS SELECT ' || string_agg(
	CASE data_type WHEN 'HUGEINT' THEN format('cut("{0}") AS "{0}"', column_name) ELSE format('"{}"', column_name) END,
	', ' ORDER BY column_index) || ' FROM ' || table_name AS statement
FROM duckdb_columns()
WHERE database_name = current_database() AND schema_name = 'main' AND starts_with(table_name, 'settled_')
GROUP BY table_name HAVING bool_or(data_type = 'HUGEINT')
UNION ALL
SELECT 'BEGIN; ALTER TABLE settled_documents RENAME TO settled_documents_old; ' || sql
	|| ' INSERT INTO settled_documents FROM settled_documents_old; DROP TABLE settled_documents_old; COMMIT'
FROM duckdb_tables()
WHERE database_name = current_database() AND schema_name = 'main' AND table_name = 'settled_documents'
	AND EXISTS (FROM pragma_storage_info('settled_documents') WHERE compression = 'ZSTD');
