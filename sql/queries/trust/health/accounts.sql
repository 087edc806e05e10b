-- Accounts with the usage of their month, in the order of their ids.
@parameters
    organization_ids,  -- NULL: all
    month,
    after,             -- only later ones
    limit
SELECT o.id, o.sandbox, o.billing_status = 'suspended', o.disabled_at,
       o.free_allotment, o.credit_balance, coalesce(m.free, 0),
       coalesce(m.charged, 0), coalesce(m.sandbox, 0)
  FROM organization o
  LEFT JOIN monthly_usage m
    ON m.organization_id = o.id AND m.month = :month::integer
 WHERE (:organization_ids::text[] IS NULL
        OR o.id = ANY (:organization_ids::text[]))
   AND o.id > :after::text
 ORDER BY o.id
 LIMIT :limit::integer
