-- SPDX-License-Identifier: Apache-2.0
-- The list of joins (duckdb_join.c), a JSON array, into the table that the statements after it read.
INSERT INTO joined BY NAME
SELECT unnest(from_json($1, '[{"part_id":"VARCHAR","run_id":"VARCHAR","reason":"VARCHAR","value":"VARCHAR"}]'), recursive := true);
