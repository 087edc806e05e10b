-- The newest 5,001 sessions of a range of ids, or the oldest if the statement
-- is reversed, by the index of the narrowest given filter; the caller applies
-- the other filters. Each branch is in the order of exactly one index:
-- comparing whole rows keeps the planner from using the primary key; see
-- session/list_filtered. Branches that do not apply cost nothing.
    (SELECT id, application_id, status, client_reference_id, risk_tier,
            workflow_id
       FROM verification_session
      WHERE :client_reference_id::text IS NOT NULL
        AND organization_id = :organization_id::text
        AND client_reference_id IS NOT NULL
        AND (client_reference_id, id) >= (:client_reference_id::text,
                                          range.lower)
        AND (client_reference_id, id) < (:client_reference_id::text,
                                         range.upper)
      ORDER BY client_reference_id DESC, id DESC
      LIMIT 5001)
    UNION ALL
    (SELECT id, application_id, status, client_reference_id, risk_tier,
            workflow_id
       FROM verification_session
      WHERE :client_reference_id::text IS NULL
        AND :application_id::text IS NOT NULL AND :status::text IS NOT NULL
        AND organization_id = :organization_id::text
        AND application_id = :application_id::text
        AND (status, id) >= (:status::text, range.lower)
        AND (status, id) < (:status::text, range.upper)
      ORDER BY status DESC, id DESC
      LIMIT 5001)
    UNION ALL
    (SELECT id, application_id, status, client_reference_id, risk_tier,
            workflow_id
       FROM verification_session
      WHERE :client_reference_id::text IS NULL
        AND :application_id::text IS NOT NULL AND :status::text IS NULL
        AND organization_id = :organization_id::text
        AND application_id IS NOT NULL
        AND (application_id, id) >= (:application_id::text, range.lower)
        AND (application_id, id) < (:application_id::text, range.upper)
      ORDER BY application_id DESC, id DESC
      LIMIT 5001)
    UNION ALL
    (SELECT id, application_id, status, client_reference_id, risk_tier,
            workflow_id
       FROM verification_session
      WHERE :client_reference_id::text IS NULL AND :application_id::text IS NULL
        AND :risk_tier::text IS NOT NULL
        AND organization_id = :organization_id::text AND risk_tier IS NOT NULL
        AND (risk_tier, id) >= (:risk_tier::text, range.lower)
        AND (risk_tier, id) < (:risk_tier::text, range.upper)
      ORDER BY risk_tier DESC, id DESC
      LIMIT 5001)
    UNION ALL
    (SELECT id, application_id, status, client_reference_id, risk_tier,
            workflow_id
       FROM verification_session
      WHERE :client_reference_id::text IS NULL AND :application_id::text IS NULL
        AND :risk_tier::text IS NULL
        AND :status::text IS NOT NULL
        AND organization_id = :organization_id::text
        AND (status, id) >= (:status::text, range.lower)
        AND (status, id) < (:status::text, range.upper)
      ORDER BY status DESC, id DESC
      LIMIT 5001)
    UNION ALL
    (SELECT id, application_id, status, client_reference_id, risk_tier,
            workflow_id
       FROM verification_session
      WHERE :client_reference_id::text IS NULL AND :application_id::text IS NULL
        AND :risk_tier::text IS NULL
        AND :status::text IS NULL
        AND organization_id = :organization_id::text
        AND id >= range.lower AND id < range.upper
      ORDER BY id DESC
      LIMIT 5001)
