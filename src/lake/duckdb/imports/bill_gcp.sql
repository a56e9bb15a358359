-- SPDX-License-Identifier: Apache-2.0
-- GCP's detailed billing export. The invoice is that of a month. Reductions of the price of what was used (committed use, sustained use,
-- negotiated) are part of its line, as on the invoice; other credits (promotions, free tier) are lines of their own.
CREATE VIEW flat AS
SELECT billing_account_id, cost_type, currency, usage_start_time, usage_end_time, cost, cost_at_list,
	coalesce("invoice.month", invoice->>'$.month') AS month, coalesce("service.description", service->>'$.description') AS service,
	coalesce("sku.id", sku->>'$.id') AS sku, coalesce("sku.description", sku->>'$.description') AS sku_name,
	coalesce("project.id", project->>'$.id') AS project, coalesce("location.region", location->>'$.region') AS region,
	coalesce("location.zone", location->>'$.zone') AS zone,
	coalesce("resource.global_name", resource->>'$.global_name', "resource.name", resource->>'$.name') AS resource,
	amount(coalesce("usage.amount", usage->>'$.amount')) AS quantity, coalesce("usage.unit", usage->>'$.unit') AS unit,
	from_json(credits, '[{"type":"VARCHAR","name":"VARCHAR","amount":"VARCHAR"}]') AS credits,
	list_filter(from_json(system_labels, '[{"key":"VARCHAR","value":"VARCHAR"}]'),
		lambda label: label.key = 'compute.googleapis.com/cores')[1].value AS cores
FROM raw;
CREATE VIEW priced AS
SELECT *, list_filter(credits, lambda credit: credit.type IN ('COMMITTED_USAGE_DISCOUNT', 'COMMITTED_USAGE_DISCOUNT_DOLLAR_BASE',
		'SUSTAINED_USAGE_DISCOUNT', 'DISCOUNT', 'RESELLER_MARGIN', 'SUBSCRIPTION_BENEFIT', 'FEE_UTILIZATION_OFFSET')) AS reductions,
	list_filter(credits, lambda credit: NOT credit.type IN ('COMMITTED_USAGE_DISCOUNT', 'COMMITTED_USAGE_DISCOUNT_DOLLAR_BASE',
		'SUSTAINED_USAGE_DISCOUNT', 'DISCOUNT', 'RESELLER_MARGIN', 'SUBSCRIPTION_BENEFIT', 'FEE_UTILIZATION_OFFSET')
		OR credit.type IS NULL) AS gifts
FROM flat;
CREATE VIEW charges AS
SELECT * EXCLUDE (credits, gifts, reductions), amount(cost)
	+ coalesce(list_sum(list_transform(reductions, lambda credit: amount(credit.amount))), 0) AS billed,
	'' AS credit
FROM priced
UNION ALL
SELECT * EXCLUDE (credits, gifts, reductions, gift), amount(gift.amount), coalesce(nullif(gift.name, ''), gift.type, 'credit')
FROM (SELECT *, unnest(gifts) AS gift FROM priced);
CREATE VIEW named AS
SELECT 'gcp' AS provider, word(billing_account_id) AS billing_account,
	strptime(coalesce(month, strftime(instant(usage_start_time), '%Y%m')), '%Y%m') AS period_since,
	period_since + INTERVAL 1 MONTH AS period_until, upper(word(currency)) AS currency, word(project) AS sub_account,
	CASE WHEN month IS NULL THEN '' ELSE word(billing_account_id || ' ' || month) END AS invoice_id, instant(usage_start_time) AS charge_since,
	instant(usage_end_time) AS charge_until, CASE
		WHEN credit <> '' THEN 'Credit'
		WHEN cost_type = 'tax' THEN 'Tax'
		WHEN cost_type IN ('adjustment', 'rounding_error') THEN 'Adjustment'
		WHEN sku_name ILIKE 'commitment%' THEN 'Purchase'
		ELSE 'Usage' END AS category,
	'' AS class, CASE WHEN sku_name ILIKE 'commitment%' THEN 'Recurring' ELSE 'Usage-Based' END AS frequency, word(service) AS service,
	'' AS service_category, word(sku) AS sku, word(resource) AS resource_id, instance_of(word(resource)) AS instance_id, '' AS resource_type,
	word(region) AS region, word(zone) AS zone, word(CASE WHEN credit <> '' THEN credit ELSE sku_name END) AS description,
	CASE WHEN cost_type = 'rounding_error' THEN 'rounding' ELSE concat_ws(' ', sku_name, credit) END AS meter,
	quantity, word(unit) AS unit, CASE
		WHEN regexp_matches(sku_name, 'Instance Core ', 'i') AND TRY_CAST(cores AS INTEGER) > 0
		THEN hours_of(part(quantity, CAST(cores AS INTEGER)), unit)
		WHEN regexp_matches(sku_name, 'Instance Ram ', 'i') THEN 0
		WHEN regexp_matches(sku_name, 'Instance ', 'i') THEN part(epoch_us(instant(usage_end_time)) - epoch_us(instant(usage_start_time)), 3600000000)
		ELSE hours_of(quantity, unit) END::DECIMAL(38, 18) AS time_used,
	billed, billed AS effective, amount(cost_at_list) AS list, NULL::DECIMAL(38, 18) AS contracted, '' AS commitment_id,
	'' AS commitment_status
FROM charges;
CREATE VIEW lines AS
SELECT *, kind_of(category, service, service_category, meter, resource_id, instance_id, commitment_id, commitment_status, time_used) AS kind
FROM named;
