-- Application $2 met a person in hour $3.
INSERT INTO trust_reuse_tally AS t
       (organization_id, application_id, kind, hour, count)
VALUES ($1, $2, 'met', $3::bigint, 1)
ON CONFLICT (organization_id, application_id, kind, hour) DO UPDATE
   SET count = t.count + 1
