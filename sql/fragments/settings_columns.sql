-- The columns of settings in the order of store/session/trust_reuse_record.c.
       s.enabled, s.max_age_days, s.require_same_jurisdiction,
       s.accepted_methods, s.updated_at
