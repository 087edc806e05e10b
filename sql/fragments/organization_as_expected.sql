-- Whether organization o matches sql/fragments/expected_key.sql.
               o.disabled_at IS NULL AND o.sandbox = :sandbox::boolean
               AND (o.billing_status = 'suspended')
                   = :billing_suspended::boolean
               AND (o.publishable_session_create = 'blocked')
                   = :publishable_create_blocked::boolean
               AND o.rate_limit_secret IS NOT DISTINCT FROM :rate_limit::integer
