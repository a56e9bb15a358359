-- SPDX-License-Identifier: Apache-2.0
-- What may have changed the cost of a settled run since an instant: corrected prices of its hosts, and bills. The last one first.
SELECT what, name, source, "at" FROM (
	SELECT 'price' AS what, h.hostname AS name, p.source, p.recorded_at AS "at"
	FROM host_prices AS p JOIN hosts AS h USING (host_id)
	WHERE p.reason = 'corrected' AND p.host_id IN (
		SELECT host_id FROM executions WHERE run_id = $run)
	UNION ALL
	SELECT 'bill', name, '', imported_at FROM bills
)
WHERE $since_at::TIMESTAMP IS NULL OR "at" > $since_at
ORDER BY "at" DESC, what, name LIMIT 10;
