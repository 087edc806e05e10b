-- Whether the organization and its usage, the key (store/api_key.c), the
-- version of the workflow and the endpoints are as $49 to $60 say. Each is
-- looked up by itself, which takes less than joining them. An organization whose endpoints
-- this session does not reach is guessed wrong, and looked at again.
       (SELECT o.sandbox = $53::boolean
               AND (o.billing_status = 'suspended') = $54::boolean
               AND (o.publishable_session_create = 'blocked') = $55::boolean
               AND (coalesce(u.sandbox, 0) < $59::integer) = $58::boolean
               AND $60::boolean =
@organization_can_pay
              FROM organization o
              LEFT JOIN monthly_usage u
                ON u.organization_id = o.id AND u.month = $56::integer
             WHERE o.id = $1)
       AND (SELECT k.id = $50 AND k.organization_id = $1
               AND k.application_id IS NOT DISTINCT FROM $3::text
               AND k.type = $51 AND k.revoked_at IS NULL
               AND k.expires_at IS NOT DISTINCT FROM $52::bigint
              FROM api_key k
             WHERE k.digest = $49::bytea)
       AND (SELECT w.current_version_id = $5::text
               AND ($3::text IS NULL OR w.application_id IS NULL
                    OR w.application_id = $3::text)
              FROM workflow w
             WHERE w.organization_id = $1 AND w.id = $4::text)
       AND EXISTS (SELECT FROM reached) = $57::boolean
