-- Removes up to :limit credentials of an organization that expired or were
-- revoked before :bound, the first to end first, and with them their tokens and
-- what makes them found by others; tells how many, and when the last of them
-- ended. What is taken by another node, or changes now, is left out.
--
-- Persons and their identifiers stay, and grants: conf/README.md.
@parameters
    organization_id,
    position, bound,  -- times, as texts: from the one on and before the other
    limit
WITH old AS MATERIALIZED (
    SELECT id, least(expires_at, revoked_at) AS ended_at
      FROM credential
     WHERE organization_id = :organization_id
       AND least(expires_at, revoked_at) >= :position::text::bigint
       AND least(expires_at, revoked_at) < :bound::text::bigint
     ORDER BY least(expires_at, revoked_at)
     LIMIT :limit::integer
       FOR UPDATE SKIP LOCKED
), token AS (
    DELETE FROM vp_token
     WHERE organization_id = :organization_id
       AND credential_id = ANY (ARRAY(SELECT id FROM old))
), used AS (
    DELETE FROM vp_token_presentation
     WHERE organization_id = :organization_id
       AND credential_id = ANY (ARRAY(SELECT id FROM old))
), shared AS (
    DELETE FROM shared_credential
     WHERE organization_id = :organization_id
       AND credential_id = ANY (ARRAY(SELECT id FROM old))
), credential AS (
    DELETE FROM credential
     WHERE organization_id = :organization_id
       AND id = ANY (ARRAY(SELECT id FROM old))
)
SELECT count(*), max(ended_at)::text, count(*)
  FROM old
