-- A new challenge replaces the previous one, whose pictures are removed.
@parameters
    organization_id, session_id, id, number, assisted, created_at,
    sides,    -- of evidence, of challenges
    provider  -- NULL: the consent named none
WITH pictures AS (
    DELETE FROM evidence
     WHERE organization_id = :organization_id AND session_id = :session_id
       AND side = ANY (:sides::text[])
)
INSERT INTO liveness_challenge (organization_id, session_id, id, number,
                                assisted, created_at, arrived_at, passed,
                                provider)
VALUES (:organization_id, :session_id, :id, :number::bigint,
        :assisted::boolean, :created_at::bigint, '{}', false, :provider)
ON CONFLICT (organization_id, session_id) DO UPDATE
   SET id = excluded.id,
       number = excluded.number,
       assisted = excluded.assisted,
       created_at = excluded.created_at,
       arrived_at = excluded.arrived_at,
       passed = excluded.passed,
       provider = excluded.provider
