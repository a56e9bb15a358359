-- SPDX-License-Identifier: Apache-2.0
-- AWS CUR 2.0 (and the CUR before it, as Parquet, of which the columns have the same names). What a line effectively costs is said by
-- other columns for each type of line: https://docs.aws.amazon.com/cur/latest/userguide/table-dictionary-cur2-line-item.html. Usage
-- that a savings plan covers is billed at 0, as in FOCUS: a negation line takes away what it would cost without the plan, and both are
-- taken out. Where they do not add up to 0, the rest is a line of its own.
CREATE VIEW typed AS
SELECT *, line_item_line_item_type AS type, amount(line_item_unblended_cost) AS unblended,
	coalesce(amount(savings_plan_total_commitment_to_date) - amount(savings_plan_used_commitment), 0) AS plan_unused,
	coalesce(amount(reservation_unused_amortized_upfront_fee_for_billing_period), 0) + coalesce(amount(reservation_unused_recurring_fee), 0)
	AS reservation_unused,
	coalesce(reservation_reservation_a_r_n, savings_plan_savings_plan_a_r_n, '') AS commitment
FROM raw;
CREATE VIEW named AS
SELECT 'aws' AS provider, word(bill_payer_account_id) AS billing_account, instant(bill_billing_period_start_date) AS period_since,
	instant(bill_billing_period_end_date) AS period_until, upper(word(line_item_currency_code)) AS currency,
	word(line_item_usage_account_id) AS sub_account, word(bill_invoice_id) AS invoice_id,
	instant(line_item_usage_start_date) AS charge_since, instant(line_item_usage_end_date) AS charge_until, CASE
		WHEN type IN ('Usage', 'DiscountedUsage', 'SavingsPlanCoveredUsage', 'SavingsPlanNegation') THEN 'Usage'
		WHEN type IN ('Fee', 'RIFee', 'SavingsPlanUpfrontFee', 'SavingsPlanRecurringFee') THEN 'Purchase'
		WHEN type = 'Tax' THEN 'Tax'
		WHEN type IN ('Credit', 'Refund') THEN 'Credit'
		ELSE 'Adjustment' END AS category,
	CASE WHEN type = 'Refund' THEN 'Correction' ELSE '' END AS class, CASE
		WHEN type IN ('RIFee', 'SavingsPlanRecurringFee') THEN 'Recurring'
		WHEN type IN ('Fee', 'SavingsPlanUpfrontFee') THEN 'One-Time'
		ELSE 'Usage-Based' END AS frequency,
	word(line_item_product_code) AS service, '' AS service_category, word(product_sku) AS sku, word(line_item_resource_id) AS resource_id,
	instance_of(word(line_item_resource_id)) AS instance_id, word(product_product_family) AS resource_type,
	word(product_region_code) AS region, word(line_item_availability_zone) AS zone, word(line_item_line_item_description) AS description,
	concat_ws(' ', line_item_usage_type, line_item_operation, line_item_line_item_description) AS meter,
	amount(line_item_usage_amount) AS quantity, word(pricing_unit) AS unit, hours_of(amount(line_item_usage_amount), pricing_unit) AS time_used,
	CASE WHEN type IN ('SavingsPlanCoveredUsage', 'SavingsPlanNegation') THEN 0 ELSE unblended END::DECIMAL(38, 18) AS billed, CASE type
		WHEN 'SavingsPlanCoveredUsage' THEN amount(savings_plan_savings_plan_effective_cost)
		WHEN 'SavingsPlanNegation' THEN 0
		WHEN 'SavingsPlanUpfrontFee' THEN 0
		WHEN 'SavingsPlanRecurringFee' THEN plan_unused
		WHEN 'DiscountedUsage' THEN amount(reservation_effective_cost)
		WHEN 'RIFee' THEN reservation_unused
		WHEN 'Fee' THEN CASE WHEN reservation_reservation_a_r_n IS NOT NULL THEN 0 ELSE unblended END
		ELSE unblended END::DECIMAL(38, 18) AS effective,
	amount(pricing_public_on_demand_cost) AS list, NULL::DECIMAL(38, 18) AS contracted, word(commitment) AS commitment_id, CASE
		WHEN type IN ('SavingsPlanCoveredUsage', 'DiscountedUsage') THEN 'Used'
		WHEN type IN ('RIFee', 'SavingsPlanRecurringFee') THEN 'Unused'
		ELSE '' END AS commitment_status,
	type
FROM typed WHERE type <> 'SavingsPlanNegation' OR type IS NULL
UNION ALL
SELECT 'aws', word(bill_payer_account_id), instant(bill_billing_period_start_date), instant(bill_billing_period_end_date),
	upper(word(line_item_currency_code)), '', word(bill_invoice_id), instant(bill_billing_period_start_date),
	instant(bill_billing_period_end_date), 'Adjustment', '', 'Usage-Based', 'Savings Plans', '', '', '', '', '', '', '',
	'covered usage less its negation', 'rounding', NULL, '', NULL, sum(unblended), sum(unblended), NULL, NULL, '', '', 'SavingsPlanNegation'
FROM typed WHERE type IN ('SavingsPlanCoveredUsage', 'SavingsPlanNegation')
GROUP BY ALL HAVING sum(unblended) <> 0;
CREATE VIEW lines AS
SELECT * EXCLUDE (type), CASE
		WHEN type IN ('EdpDiscount', 'PrivateRateDiscount', 'BundledDiscount', 'Discount', 'SppDiscount', 'RiVolumeDiscount') THEN 'discount'
		ELSE kind_of(category, service, service_category, meter, resource_id, instance_id, commitment_id, commitment_status, time_used)
		END AS kind
FROM named;
