-- SPDX-License-Identifier: Apache-2.0
-- FOCUS 1.0 to 1.3. ServiceProviderName replaces ProviderName since 1.3.
CREATE VIEW named AS
SELECT provider_of(coalesce(ProviderName, ServiceProviderName, HostProviderName, InvoiceIssuerName)) AS provider,
	word(BillingAccountId) AS billing_account, instant(BillingPeriodStart) AS period_since, instant(BillingPeriodEnd) AS period_until,
	upper(word(BillingCurrency)) AS currency, word(SubAccountId) AS sub_account, word(InvoiceId) AS invoice_id,
	instant(ChargePeriodStart) AS charge_since, instant(ChargePeriodEnd) AS charge_until, word(ChargeCategory) AS category,
	word(ChargeClass) AS class, word(ChargeFrequency) AS frequency, word(ServiceName) AS service, word(ServiceCategory) AS service_category,
	word(SkuId) AS sku, word(ResourceId) AS resource_id, instance_of(word(ResourceId)) AS instance_id, word(ResourceType) AS resource_type,
	word(RegionId) AS region, word(AvailabilityZone) AS zone, word(ChargeDescription) AS description,
	concat_ws(' ', x_UsageType, x_Operation, SkuMeter, ServiceSubcategory, ChargeDescription) AS meter,
	amount(coalesce(ConsumedQuantity, PricingQuantity)) AS quantity,
	word(CASE WHEN ConsumedQuantity IS NULL THEN PricingUnit ELSE ConsumedUnit END) AS unit,
	coalesce(hours_of(amount(ConsumedQuantity), ConsumedUnit), hours_of(amount(PricingQuantity), PricingUnit)) AS time_used,
	amount(BilledCost) AS billed, amount(EffectiveCost) AS effective, amount(ListCost) AS list, amount(ContractedCost) AS contracted,
	word(CommitmentDiscountId) AS commitment_id, word(CommitmentDiscountStatus) AS commitment_status
FROM raw;
CREATE VIEW lines AS
SELECT *, kind_of(category, service, service_category, meter, resource_id, instance_id, commitment_id, commitment_status, time_used) AS kind
FROM named;
