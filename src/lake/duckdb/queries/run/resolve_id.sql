-- SPDX-License-Identifier: Apache-2.0
-- What `resolve` answers to a whole id of a run, or of a part of one, without the search. No row: there is no such id.
SELECT merged.run_id AS id
FROM runs AS r LEFT JOIN parts AS p ON p.part_id = r.run_id
JOIN runs AS merged ON merged.run_id = coalesce(p.run_id, r.run_id)
WHERE r.run_id = $run;
