-- One row when all is as $47 to $57 say: the key (k; store/api_key.c), the
-- current version of the workflow, and how the organization stands.
  FROM api_key k
  JOIN organization o ON o.id = k.organization_id
  JOIN workflow w
    ON w.organization_id = o.id AND w.id = $4::text
   AND ($3::text IS NULL OR w.application_id IS NULL
        OR w.application_id = $3::text)
  LEFT JOIN monthly_usage u
    ON u.organization_id = o.id AND u.month = $54::integer
 WHERE k.digest = $47::bytea AND k.id = $48 AND k.organization_id = $1
   AND k.application_id IS NOT DISTINCT FROM $3::text
   AND k.type = $49 AND k.expires_at IS NOT DISTINCT FROM $50::bigint
   AND k.revoked_at IS NULL AND o.sandbox = $51::boolean
   AND (o.billing_status = 'suspended') = $52::boolean
   AND (o.publishable_session_create = 'blocked') = $53::boolean
   AND w.current_version_id = $5::text
   AND EXISTS (SELECT FROM reached) = $55::boolean
   AND (coalesce(u.verifications, 0) < $57::integer) = $56::boolean
