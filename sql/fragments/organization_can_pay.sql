-- Whether organization o with the usage u can pay for a verification, as
-- idv_billing_can_pay() decides it.
       (o.credit_balance > 0
        OR (o.credit_balance = 0 AND coalesce(u.free, 0) < o.free_allotment))
