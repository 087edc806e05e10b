-- The same upwards from the cursor :cursor.
@parameters
    organization_id, application_id, cursor, limit, status,
    client_reference_id, risk_tier
SELECT session.*
  FROM (
         (SELECT id
            FROM verification_session
          WHERE :client_reference_id::text IS NOT NULL
            AND organization_id = :organization_id::text
            AND client_reference_id IS NOT NULL
            AND (client_reference_id, id) > (:client_reference_id::text,
                                             :cursor::text)
            AND (client_reference_id, id) < (:client_reference_id::text,
                                             'vks_~')
            AND (:application_id::text IS NULL
                 OR application_id = :application_id::text)
            AND (:status::text IS NULL OR status = :status::text)
            AND (:risk_tier::text IS NULL OR risk_tier = :risk_tier::text)
          ORDER BY client_reference_id, id
          LIMIT :limit::integer)
         UNION ALL
         (SELECT id
            FROM verification_session
          WHERE :client_reference_id::text IS NULL
            AND :application_id::text IS NOT NULL AND :status::text IS NOT NULL
            AND organization_id = :organization_id::text
            AND application_id = :application_id::text
            AND (status, id) > (:status::text, :cursor::text)
            AND (status, id) < (:status::text, 'vks_~')
            AND (:risk_tier::text IS NULL OR risk_tier = :risk_tier::text)
          ORDER BY status, id
          LIMIT :limit::integer)
         UNION ALL
         (SELECT id
            FROM verification_session
          WHERE :client_reference_id::text IS NULL
            AND :application_id::text IS NOT NULL AND :status::text IS NULL
            AND organization_id = :organization_id::text
            AND application_id IS NOT NULL
            AND (application_id, id) > (:application_id::text, :cursor::text)
            AND (application_id, id) < (:application_id::text, 'vks_~')
            AND (:risk_tier::text IS NULL OR risk_tier = :risk_tier::text)
          ORDER BY application_id, id
          LIMIT :limit::integer)
         UNION ALL
         (SELECT id
            FROM verification_session
          WHERE :client_reference_id::text IS NULL
            AND :application_id::text IS NULL AND :risk_tier::text IS NOT NULL
            AND organization_id = :organization_id::text
            AND risk_tier IS NOT NULL
            AND (risk_tier, id) > (:risk_tier::text, :cursor::text)
            AND (risk_tier, id) < (:risk_tier::text, 'vks_~')
            AND (:status::text IS NULL OR status = :status::text)
          ORDER BY risk_tier, id
          LIMIT :limit::integer)
         UNION ALL
         (SELECT id
            FROM verification_session
          WHERE :client_reference_id::text IS NULL
            AND :application_id::text IS NULL AND :risk_tier::text IS NULL
            AND organization_id = :organization_id::text
            AND (status, id) > (:status::text, :cursor::text)
            AND (status, id) < (:status::text, 'vks_~')
          ORDER BY status, id
          LIMIT :limit::integer)
       ) page
 CROSS JOIN LATERAL (
SELECT
@session_columns
  FROM verification_session
 WHERE organization_id = :organization_id AND id = page.id
 LIMIT 1
       ) session
 ORDER BY session.id
