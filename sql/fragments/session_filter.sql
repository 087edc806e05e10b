-- The filters of a list; NULL for missing ones.
   AND (:status::text IS NULL OR status = :status::text)
   AND (:client_reference_id::text IS NULL
        OR client_reference_id = :client_reference_id::text)
   AND (:risk_tier::text IS NULL OR risk_tier = :risk_tier::text)
   AND (:workflow_id::text IS NULL OR workflow_id = :workflow_id::text)
