-- SPDX-License-Identifier: Apache-2.0
-- Staged rows have each key once. A link that is stored already stays: its row names the first batch that brought it.
DELETE FROM staged_links AS came USING links AS held
WHERE came.host_id = held.host_id AND came.run_id = held.run_id AND came.kind = held.kind AND came.value = held.value;
INSERT INTO links BY NAME FROM staged_links;
TRUNCATE staged_links;
