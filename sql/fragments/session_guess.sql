-- Whether the organization and its account, the key (store/account/api_key.c),
-- the version of the workflow and the endpoints are as expected. Each is looked
-- up separately, which is faster than a join.
       (SELECT
@organization_as_expected
               AND o.credit_balance >= :balance_from::bigint
               AND o.free_allotment >= :allotment_from::bigint
               AND coalesce(u.free, 0) < :free_before::bigint
               AND coalesce(u.sandbox, 0) < :sandbox_before::bigint
              FROM organization o
              LEFT JOIN monthly_usage u
                ON u.organization_id = o.id AND u.month = :month::integer
             WHERE o.id = :organization_id)
       AND (SELECT
@key_as_expected
              FROM api_key k
             WHERE k.digest = :key_digest::bytea)
       AND NOT EXISTS (
            SELECT FROM application a
             WHERE a.organization_id = :organization_id
               AND a.id = :application_id::text AND a.retired_at IS NOT NULL)
       AND (SELECT w.current_version_id = :workflow_version_id::text
               AND w.retired_at IS NULL
               AND
@workflow_in_scope
              FROM workflow w
             WHERE w.organization_id = :organization_id
               AND w.id = :workflow_id::text)
       AND EXISTS (SELECT FROM endpoint) = :has_webhook_endpoint::boolean
