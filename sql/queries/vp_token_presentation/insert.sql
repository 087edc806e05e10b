-- The token of credential $2 is used in session $3 at $4. In how many sessions it
-- was used after $5, with this one, up to one more than $6.
WITH presented AS (
    INSERT INTO vp_token_presentation (organization_id, credential_id,
                                       session_id, presented_at)
    VALUES ($1, $2, $3, $4::bigint)
)
SELECT count(*) + 1
  FROM (SELECT
          FROM vp_token_presentation
         WHERE organization_id = $1 AND credential_id = $2
           AND presented_at > $5::bigint
         LIMIT $6::integer) before
