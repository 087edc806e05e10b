@parameters
    organization_id, application_id, enabled, max_age_days,
    require_same_jurisdiction, accepted_methods, updated_at,
    liability_accepted_at  -- NULL: not now
INSERT INTO trust_reuse_settings AS s
       (organization_id, application_id, enabled, max_age_days,
        require_same_jurisdiction, accepted_methods, updated_at,
        liability_accepted_at)
VALUES (:organization_id, :application_id, :enabled::boolean,
        :max_age_days::integer, :require_same_jurisdiction::boolean,
        :accepted_methods::text[], :updated_at::bigint,
        :liability_accepted_at::bigint)
ON CONFLICT (organization_id, application_id) DO UPDATE
   SET enabled = excluded.enabled,
       max_age_days = excluded.max_age_days,
       require_same_jurisdiction = excluded.require_same_jurisdiction,
       accepted_methods = excluded.accepted_methods,
       updated_at = excluded.updated_at,
       liability_accepted_at = coalesce(excluded.liability_accepted_at,
                                        s.liability_accepted_at)
