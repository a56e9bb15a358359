-- SPDX-License-Identifier: Apache-2.0
-- Staged rows have each key once. A staged row that is older than the stored one is dropped, a newer one replaces it.
DELETE FROM staged_hosts AS came USING hosts AS held
WHERE came.host_id = held.host_id
	AND NOT supersedes(came.agent_id, came.boot_id, came.sequence, came.created_at,
		held.agent_id, held.boot_id, held.sequence, held.created_at);
-- The price of a host by time (schema/tables/hosts.sql): another one than before holds from when its agent began where the host says
-- something else about itself (also the second time: an agent that starts again learns its cloud a moment later), from now on where a list or a setting of this lake changed.
INSERT INTO host_prices
SELECT host_id,
	CASE WHEN last IS NULL THEN NULL
		WHEN is_said AND agent_started_at >= coalesce(last.since_at, TIMESTAMP '1970-01-01') THEN agent_started_at
		ELSE greatest(coalesce(seen_at, created_at, now_at()), last.since_at) END,
	now_at(), price.usd_hour, price.source, 'reported', provider, region, instance_type, purchase
FROM (
	SELECT came.*, last,
		machine_price(came.hostname, came.provider, came.region, came.instance_type, came.purchase, came.price_usd_hour,
			coalesce(listed.usd_hour, 0), coalesce(listed.source, '')) AS price,
		(held.provider, held.region, held.instance_type, held.purchase, held.price_usd_hour, held.agent_started_at) IS DISTINCT FROM
			(came.provider, came.region, came.instance_type, came.purchase, came.price_usd_hour, came.agent_started_at) AS is_said
	FROM staged_hosts AS came LEFT JOIN hosts AS held USING (host_id)
	LEFT JOIN list_prices AS listed ON listed.provider = came.provider AND listed.region = came.region
		AND listed.instance_type = came.instance_type AND listed.purchase = listed_as(came.purchase)
	LEFT JOIN (
		SELECT host_id, arg_max({ usd_hour: usd_hour, source: source, since_at: since_at }, recorded_at) AS last
		FROM host_prices SEMI JOIN staged_hosts USING (host_id) WHERE reason = 'reported' GROUP BY host_id
	) USING (host_id)
)
WHERE last IS NULL OR last.usd_hour <> price.usd_hour OR (last.source <> price.source AND price.usd_hour > 0);
DELETE FROM hosts AS held USING staged_hosts AS came
WHERE came.host_id = held.host_id;
INSERT INTO hosts BY NAME FROM staged_hosts;
TRUNCATE staged_hosts;
