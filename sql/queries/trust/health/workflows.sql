-- Workflows of live organizations without trust anchors for their evidence,
-- without an identity for wallet requests, or with e-mail codes that a node
-- seen within a minute does not send; of the first 10,000. Lists and identities
-- of the server ('') apply to all.
@parameters
    organization_ids,  -- NULL: all
    limit
WITH anchors AS MATERIALIZED (
  SELECT organization_id, kind LIKE 'csca%' AS is_of_passports
    FROM trust_list
   WHERE current_version_id IS NOT NULL AND kind <> 'sandbox-signer'
), asked AS (
  SELECT w.organization_id, w.id, v.compiled -> 'methods' AS methods,
         coalesce((v.compiled ->> 'require_email_otp')::boolean, false) AS email
    FROM (SELECT w.organization_id, w.id, w.current_version_id
            FROM workflow w
            JOIN organization o ON o.id = w.organization_id
           WHERE w.retired_at IS NULL
             AND NOT o.sandbox AND o.disabled_at IS NULL
             AND (:organization_ids::text[] IS NULL
                  OR w.organization_id = ANY (:organization_ids::text[]))
           ORDER BY w.organization_id, w.id
           LIMIT 10000) w
    JOIN workflow_version v
      ON v.organization_id = w.organization_id AND v.id = w.current_version_id
), silent AS MATERIALIZED (
  SELECT EXISTS (SELECT
                   FROM server_node
                  WHERE NOT sends_mail
                    AND seen_at > (extract(epoch FROM clock_timestamp()) * 1000)::bigint
                                  - 60000) AS is_there
), missing AS (
  SELECT a.organization_id, a.id,
         m.method = 'nfc_passport'
         AND NOT EXISTS (SELECT
                           FROM anchors
                          WHERE anchors.organization_id IN ('', a.organization_id)
                            AND is_of_passports) AS passports,
         m.method = 'mdl'
         AND NOT EXISTS (SELECT
                           FROM anchors
                          WHERE anchors.organization_id IN ('', a.organization_id)
                            AND NOT is_of_passports) AS wallets,
         m.method = 'mdl'
         AND NOT EXISTS (SELECT
                           FROM reader_identity r
                          WHERE r.organization_id IN ('', a.organization_id)
                            AND r.status = 'active') AS reader,
         a.email AND (SELECT is_there FROM silent) AS email
    FROM asked a
   CROSS JOIN LATERAL json_array_elements_text(a.methods) AS m (method)
)
SELECT organization_id, id, bool_or(passports), bool_or(wallets),
       bool_or(reader), bool_or(email)
  FROM missing
 GROUP BY organization_id, id
HAVING bool_or(passports OR wallets OR reader OR email)
 ORDER BY organization_id, id
 LIMIT :limit::integer
