-- Records the use of a credential's token in a session. Returns the number of
-- sessions that used it since :since, including this one, up to one more than
-- :limit.
@parameters organization_id, credential_id, session_id, now, since, limit
WITH presented AS (
    INSERT INTO vp_token_presentation (organization_id, credential_id,
                                       session_id, presented_at)
    VALUES (:organization_id, :credential_id, :session_id, :now::bigint)
)
SELECT count(*) + 1
  FROM (SELECT
          FROM vp_token_presentation
         WHERE organization_id = :organization_id
           AND credential_id = :credential_id
           AND presented_at > :since::bigint
         LIMIT :limit::integer) before
