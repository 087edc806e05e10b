-- The parameters that say how an organization is expected to stand, as
-- domain/billing.h decided it for the month.
       month, has_webhook_endpoint, has_quota, sandbox_quota, can_pay
