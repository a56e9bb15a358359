-- SPDX-License-Identifier: Apache-2.0
-- What an hour of each host costs, until the next row of the host. Of the rows of host_prices that had begun, the one that was recorded
-- last counts.
CREATE OR REPLACE VIEW host_price_times AS
WITH begun AS (
	SELECT *, coalesce(since_at, TIMESTAMP '1900-01-01') AS begins FROM host_prices
)
SELECT host_id, b.begins AS since_at, unnest(arg_max({ usd_hour: p.usd_hour, source: p.source, reason: p.reason, recorded_at: p.recorded_at },
	{ recorded_at: p.recorded_at, since_at: p.begins }))
FROM (SELECT DISTINCT host_id, begins FROM begun) AS b JOIN begun AS p USING (host_id)
WHERE p.begins <= b.begins
GROUP BY host_id, b.begins;

-- What an hour of each host costs now: what was recorded has begun, also where the clock was set back since.
CREATE OR REPLACE VIEW host_price_now AS
SELECT host_id, unnest(arg_max({ since_at: since_at, usd_hour: usd_hour, source: source, reason: reason }, since_at))
FROM host_price_times WHERE since_at <= greatest(now_at(), recorded_at) GROUP BY host_id;

-- When a price is recorded that came at an instant: not before it is written, since a report of a host may have been stored meanwhile.
CREATE OR REPLACE MACRO recorded_from(came_at) AS greatest(came_at, now_at());

-- The price of a price file for a host that buys its machine so.
CREATE OR REPLACE MACRO listed_as(purchase) AS CASE WHEN purchase = 'spot' THEN 'spot' ELSE 'on_demand' END;
