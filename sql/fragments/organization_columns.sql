-- The columns of an organization in the order of store/account/organization.c.
       id, name, sandbox, billing_status, free_allotment, credit_balance,
       publishable_session_create, created_at, updated_at, four_eyes_publish,
       four_eyes_reject, disabled_at, four_eyes_erase,
       rate_limit_secret, rate_limit_publishable
