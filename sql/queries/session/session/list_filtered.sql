-- One page, newest first, of the sessions that match all given filters, of
-- which there is at least one: one walk over the index of the narrowest filter.
-- Each branch is in the order of exactly one index, and comparing whole rows
-- keeps the planner from using the primary key instead, whatever the statistics
-- say. (With an application and a status there are two such indexes: the one on
-- both is smaller, and has less to compare. Comparing all three as a row would
-- read on beyond the status.) Branches that do not apply cost nothing.
@reversed list_filtered_newer
@parameters
    organization_id, application_id,
    lower, upper,  -- lower <= id < upper
    limit,
    status, client_reference_id, risk_tier, workflow_id  -- NULL: any
SELECT session.*
  FROM (
         (SELECT id
            FROM verification_session
          WHERE :client_reference_id::text IS NOT NULL
            AND organization_id = :organization_id::text
            AND client_reference_id IS NOT NULL
            AND (client_reference_id, id) >= (:client_reference_id::text,
                                              :lower::text)
            AND (client_reference_id, id) < (:client_reference_id::text,
                                             :upper::text)
            AND (:application_id::text IS NULL
                 OR application_id = :application_id::text)
            AND (:status::text IS NULL OR status = :status::text)
            AND (:risk_tier::text IS NULL OR risk_tier = :risk_tier::text)
            AND (:workflow_id::text IS NULL
                 OR workflow_id = :workflow_id::text)
          ORDER BY client_reference_id DESC, id DESC
          LIMIT :limit::integer)
         UNION ALL
         (SELECT id
            FROM verification_session
          WHERE :client_reference_id::text IS NULL
            AND :application_id::text IS NOT NULL AND :status::text IS NOT NULL
            AND organization_id = :organization_id::text
            AND application_id = :application_id::text
            AND (status, id) >= (:status::text, :lower::text)
            AND (status, id) < (:status::text, :upper::text)
            AND (:risk_tier::text IS NULL OR risk_tier = :risk_tier::text)
            AND (:workflow_id::text IS NULL
                 OR workflow_id = :workflow_id::text)
          ORDER BY status DESC, id DESC
          LIMIT :limit::integer)
         UNION ALL
         (SELECT id
            FROM verification_session
          WHERE :client_reference_id::text IS NULL
            AND :application_id::text IS NOT NULL AND :status::text IS NULL
            AND organization_id = :organization_id::text
            AND application_id IS NOT NULL
            AND (application_id, id) >= (:application_id::text, :lower::text)
            AND (application_id, id) < (:application_id::text,
                                        :upper::text)
            AND (:risk_tier::text IS NULL OR risk_tier = :risk_tier::text)
            AND (:workflow_id::text IS NULL
                 OR workflow_id = :workflow_id::text)
          ORDER BY application_id DESC, id DESC
          LIMIT :limit::integer)
         UNION ALL
         (SELECT id
            FROM verification_session
          WHERE :client_reference_id::text IS NULL
            AND :application_id::text IS NULL AND :workflow_id::text IS NOT NULL
            AND organization_id = :organization_id::text
            AND (workflow_id, id) >= (:workflow_id::text, :lower::text)
            AND (workflow_id, id) < (:workflow_id::text, :upper::text)
            AND (:status::text IS NULL OR status = :status::text)
            AND (:risk_tier::text IS NULL OR risk_tier = :risk_tier::text)
          ORDER BY workflow_id DESC, id DESC
          LIMIT :limit::integer)
         UNION ALL
         (SELECT id
            FROM verification_session
          WHERE :client_reference_id::text IS NULL
            AND :application_id::text IS NULL
            AND :workflow_id::text IS NULL AND :risk_tier::text IS NOT NULL
            AND organization_id = :organization_id::text
            AND risk_tier IS NOT NULL
            AND (risk_tier, id) >= (:risk_tier::text, :lower::text)
            AND (risk_tier, id) < (:risk_tier::text,
                                   :upper::text)
            AND (:status::text IS NULL OR status = :status::text)
          ORDER BY risk_tier DESC, id DESC
          LIMIT :limit::integer)
         UNION ALL
         (SELECT id
            FROM verification_session
          WHERE :client_reference_id::text IS NULL
            AND :application_id::text IS NULL
            AND :workflow_id::text IS NULL AND :risk_tier::text IS NULL
            AND organization_id = :organization_id::text
            AND (status, id) >= (:status::text, :lower::text)
            AND (status, id) < (:status::text, :upper::text)
          ORDER BY status DESC, id DESC
          LIMIT :limit::integer)
       ) page
 CROSS JOIN LATERAL (
SELECT
@session_columns
  FROM verification_session
 WHERE organization_id = :organization_id AND id = page.id
 LIMIT 1
       ) session
 ORDER BY session.id DESC
