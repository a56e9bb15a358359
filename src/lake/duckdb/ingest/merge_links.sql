-- SPDX-License-Identifier: Apache-2.0
-- Each key once, as staged. What is held already stays: the batch that a link's row names is the first that brought it.
DELETE FROM staged_links AS came USING links AS held
WHERE came.run_id = held.run_id AND came.kind = held.kind AND came.value = held.value;
INSERT INTO links BY NAME FROM staged_links;
TRUNCATE staged_links;
