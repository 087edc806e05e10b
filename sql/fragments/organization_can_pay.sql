-- Whether organization o with the usage u can pay for a verification: with a
-- free one of this month or with a credit.
       (coalesce(u.verifications, 0) < o.free_allotment
        OR o.credit_balance > 0)
