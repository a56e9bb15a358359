-- SPDX-License-Identifier: Apache-2.0
-- Each key once, as staged. What is new stays staged until it was looked at by join_next.sql.
DELETE FROM staged_links AS came USING links AS held
WHERE came.run_id = held.run_id AND came.kind = held.kind AND came.value = held.value;
INSERT INTO links BY NAME FROM staged_links;
