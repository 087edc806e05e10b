-- Counts a match of an application.
@parameters
    organization_id, application_id,
    hour  -- hours since 1970
INSERT INTO trust_reuse_tally AS t
       (organization_id, application_id, kind, hour, count)
VALUES (:organization_id, :application_id, 'met', :hour::bigint, 1)
ON CONFLICT (organization_id, application_id, kind, hour) DO UPDATE
   SET count = t.count + 1
