-- $8: liability was accepted now.
INSERT INTO trust_reuse_settings AS s
       (organization_id, application_id, enabled, max_age_days,
        require_same_jurisdiction, accepted_methods, updated_at,
        liability_accepted_at)
VALUES ($1, $2, $3::boolean, $4::integer, $5::boolean, $6::text[], $7::bigint,
        $8::bigint)
ON CONFLICT (organization_id, application_id) DO UPDATE
   SET enabled = excluded.enabled,
       max_age_days = excluded.max_age_days,
       require_same_jurisdiction = excluded.require_same_jurisdiction,
       accepted_methods = excluded.accepted_methods,
       updated_at = excluded.updated_at,
       liability_accepted_at = coalesce(excluded.liability_accepted_at,
                                        s.liability_accepted_at)
