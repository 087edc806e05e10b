-- Whether the application of the key may use workflow w: any may use those of
-- the organization, and a key without an application may use all.
       (:application_id::text IS NULL OR w.application_id IS NULL
        OR w.application_id = :application_id::text)
