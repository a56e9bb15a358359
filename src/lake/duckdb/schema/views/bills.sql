-- SPDX-License-Identifier: Apache-2.0
-- A file that is one of several of an export may be one of a later export, too: it has an id in each.
CREATE OR REPLACE MACRO bill_id_of(hash, batch, parts) AS left(CASE WHEN parts = 1 THEN hash ELSE sha256(hash || ' ' || batch) END, 16);

-- Which files of bills are complete: of those that were imported together, all are here.
CREATE OR REPLACE VIEW bills_complete AS
FROM bills SEMI JOIN (SELECT batch FROM bills GROUP BY batch HAVING count(*) >= max(batch_files)) USING (batch);

-- The billing periods that count, and what replaced the others. Of a provider, an account and a period the files that were imported
-- together last count; what has corrections alone is added to them, and is replaced by a later file that has more.
CREATE OR REPLACE VIEW bill_periods_ranked AS
SELECT p.*, b.batch, b.place, b.name, b.format, b.imported_at, max(b.place) OVER (PARTITION BY b.batch) AS batch_place,
	max(CASE WHEN NOT p.corrects THEN b.place END) OVER same AS last_place,
	arg_max(b.bill_id, b.place) FILTER (NOT p.corrects) OVER same AS last_bill,
	arg_max(b.batch, b.place) FILTER (NOT p.corrects) OVER same AS last_batch
FROM bill_periods AS p JOIN bills_complete AS b USING (bill_id)
WINDOW same AS (PARTITION BY p.provider, p.billing_account, p.period_since ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING);

CREATE OR REPLACE VIEW bill_periods_now AS
SELECT *, CASE WHEN last_batch IS NULL OR batch = last_batch OR corrects AND place > last_place THEN '' ELSE last_bill END
	AS superseded_by
FROM bill_periods_ranked;

-- The lines that count. Of corrections of the same charge that files with corrections alone bring, those of the last file.
CREATE OR REPLACE VIEW bill_lines_now AS
WITH counting AS (
	SELECT bill_id, provider, billing_account, period_since, currency, corrects, place, name AS bill_name
	FROM bill_periods_now WHERE superseded_by = ''
), last_corrections AS (
	SELECT l.provider, l.billing_account, l.period_since, l.line_key, max(c.place) AS place
	FROM bill_lines AS l JOIN counting AS c USING (bill_id, provider, billing_account, period_since, currency)
	WHERE c.corrects GROUP BY ALL
)
SELECT l.*, c.bill_name FROM bill_lines AS l JOIN counting AS c USING (bill_id, provider, billing_account, period_since, currency)
LEFT JOIN last_corrections AS k ON c.corrects AND l.provider = k.provider AND l.billing_account = k.billing_account
	AND l.period_since = k.period_since AND l.line_key = k.line_key
WHERE NOT c.corrects OR c.place = k.place;

-- As a whole number of nano-dollars.
CREATE OR REPLACE MACRO nano(amount) AS round(amount * 1000000000, 0)::BIGINT;

-- The part of a number that belongs to [since_us, until_us) of whole_us; the parts of all intervals add up to it exactly.
CREATE OR REPLACE MACRO part_of(number, since_us, until_us, whole_us) AS
	((round(number, 0)::HUGEINT * until_us // whole_us) - (round(number, 0)::HUGEINT * since_us // whole_us))::DECIMAL(38, 18)
	+ CASE WHEN since_us = 0 THEN number - round(number, 0) ELSE 0 END;

-- What a line is called by, where it has no invoice yet.
CREATE OR REPLACE MACRO invoice_of(invoice_id, billing_account, period_since) AS
	CASE WHEN invoice_id <> '' THEN invoice_id ELSE 'provisional ' || billing_account || ' ' || strftime(period_since, '%Y-%m') END;

-- What was billed for instances, in USD, by invoice, instance and hour of UTC, of the hours that overlap two instants (NULL: no bound).
-- A line over several hours is spread evenly. used_ns: the time that was billed, of the SKU with most of it, since a provider may bill
-- cores and memory as two.
CREATE OR REPLACE MACRO bill_hours_of(begins_at, ends_at) AS TABLE
WITH lines AS (
	SELECT invoice_of(invoice_id, billing_account, period_since) AS invoice, bill_id, bill_name, instance_id, sku,
		billed * 1000000000 AS billed, effective * 1000000000 AS effective, hours * 3600000000000 AS used, charge_since, charge_until,
		epoch_us(charge_until) - epoch_us(charge_since) AS whole_us
	FROM bill_lines_now
	WHERE kind = 'compute' AND instance_id <> '' AND currency = 'USD'
		AND (begins_at::TIMESTAMP IS NULL OR charge_until > date_trunc('hour', begins_at::TIMESTAMP))
		AND (ends_at::TIMESTAMP IS NULL OR charge_since < ends_at::TIMESTAMP)
), short AS (
	SELECT invoice, bill_id, bill_name, instance_id, sku, date_trunc('hour', charge_since) AS hour_at, billed, effective, used
	FROM lines WHERE charge_until <= date_trunc('hour', charge_since) + INTERVAL 1 HOUR
), long AS (
	SELECT *, unnest(generate_series(date_trunc('hour', charge_since), charge_until - INTERVAL 1 MICROSECOND, INTERVAL 1 HOUR)) AS hour_at
	FROM lines WHERE charge_until > date_trunc('hour', charge_since) + INTERVAL 1 HOUR
), cut AS (
	SELECT *, greatest(0, epoch_us(hour_at) - epoch_us(charge_since)) AS from_us,
		least(whole_us, epoch_us(hour_at) + 3600000000 - epoch_us(charge_since)) AS to_us
	FROM long
), parts AS (
	FROM short
	UNION ALL
	SELECT invoice, bill_id, bill_name, instance_id, sku, hour_at, part_of(billed, from_us, to_us, whole_us),
		part_of(effective, from_us, to_us, whole_us), part_of(used, from_us, to_us, whole_us)
	FROM cut
), skus AS (
	SELECT invoice, instance_id, hour_at, sku, max(bill_id) AS bill_id, max(bill_name) AS bill_name, sum(billed) AS billed,
		sum(effective) AS effective, sum(used) AS used
	FROM parts
	WHERE (begins_at::TIMESTAMP IS NULL OR hour_at >= date_trunc('hour', begins_at::TIMESTAMP))
		AND (ends_at::TIMESTAMP IS NULL OR hour_at < ends_at::TIMESTAMP)
	GROUP BY invoice, instance_id, hour_at, sku
)
SELECT invoice, instance_id, hour_at, max(bill_id) AS bill_id, max(bill_name) AS bill_name, round(sum(billed), 0)::BIGINT AS billed_nusd,
	round(sum(effective), 0)::BIGINT AS effective_nusd, round(greatest(max(used), 0), 0)::BIGINT AS used_ns
FROM skus GROUP BY invoice, instance_id, hour_at;
