-- One page, newest first; $3 is the cursor or NULL: one walk over the index of the
-- narrowest filter that is given, of which there is at least one. Each branch is
-- in the order of one index and of no other, and comparing whole rows keeps the
-- planner from taking the primary key for it, whatever the statistics say. (With
-- an application and a status there are two: the one by both is smaller, and has
-- less to compare. Comparing all three as a row would read on beyond the status.)
-- The branches that do not apply cost nothing.
SELECT session.*
  FROM (
         (SELECT id
            FROM verification_session
          WHERE $6::text IS NOT NULL
            AND organization_id = $1::text
            AND client_reference_id IS NOT NULL
            AND (client_reference_id, id) >= ($6::text, 'vks_')
            AND (client_reference_id, id) < ($6::text, coalesce($3::text, 'vks_~'))
            AND ($2::text IS NULL OR application_id = $2::text)
            AND ($5::text IS NULL OR status = $5::text)
            AND ($7::text IS NULL OR risk_tier = $7::text)
          ORDER BY client_reference_id DESC, id DESC
          LIMIT $4::integer)
         UNION ALL
         (SELECT id
            FROM verification_session
          WHERE $6::text IS NULL AND $2::text IS NOT NULL AND $5::text IS NOT NULL
            AND organization_id = $1::text
            AND application_id = $2::text
            AND (status, id) >= ($5::text, 'vks_')
            AND (status, id) < ($5::text, coalesce($3::text, 'vks_~'))
            AND ($7::text IS NULL OR risk_tier = $7::text)
          ORDER BY status DESC, id DESC
          LIMIT $4::integer)
         UNION ALL
         (SELECT id
            FROM verification_session
          WHERE $6::text IS NULL AND $2::text IS NOT NULL AND $5::text IS NULL
            AND organization_id = $1::text
            AND application_id IS NOT NULL
            AND (application_id, id) >= ($2::text, 'vks_')
            AND (application_id, id) < ($2::text, coalesce($3::text, 'vks_~'))
            AND ($7::text IS NULL OR risk_tier = $7::text)
          ORDER BY application_id DESC, id DESC
          LIMIT $4::integer)
         UNION ALL
         (SELECT id
            FROM verification_session
          WHERE $6::text IS NULL AND $2::text IS NULL AND $7::text IS NOT NULL
            AND organization_id = $1::text
            AND risk_tier IS NOT NULL
            AND (risk_tier, id) >= ($7::text, 'vks_')
            AND (risk_tier, id) < ($7::text, coalesce($3::text, 'vks_~'))
            AND ($5::text IS NULL OR status = $5::text)
          ORDER BY risk_tier DESC, id DESC
          LIMIT $4::integer)
         UNION ALL
         (SELECT id
            FROM verification_session
          WHERE $6::text IS NULL AND $2::text IS NULL AND $7::text IS NULL
            AND organization_id = $1::text
            AND (status, id) >= ($5::text, 'vks_')
            AND (status, id) < ($5::text, coalesce($3::text, 'vks_~'))
          ORDER BY status DESC, id DESC
          LIMIT $4::integer)
       ) page
 CROSS JOIN LATERAL (
SELECT
@session_columns
  FROM verification_session
 WHERE organization_id = $1 AND id = page.id
 LIMIT 1
       ) session
 ORDER BY session.id DESC
