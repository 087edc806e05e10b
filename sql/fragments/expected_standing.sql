-- The parameters that describe the expected state of an organization: whether
-- it has an enabled endpoint, and the bounds of its account in the month within
-- which domain/account/billing.h lets it begin a verification.
       month, has_webhook_endpoint, balance_from, allotment_from, free_before,
       sandbox_before
