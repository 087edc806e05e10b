-- Removes those of an organization's next :limit credentials that expired or
-- were revoked before :bound, in the order of their ends, with their tokens,
-- their passkeys and the entries by which others find them. Returns the number removed, the end of
-- the last one on the page, the size of the page, and the end of the first one
-- that stays. Rows that another node has locked, or that change now, are
-- skipped.
--
-- Persons and their identifiers stay, and grants: conf/manual/privacy.md.
@parameters
    organization_id,
    position, bound,  -- times as text: position <= time < bound
    limit
WITH page AS MATERIALIZED (
    SELECT id, least(expires_at, revoked_at) AS ended_at
      FROM credential
     WHERE organization_id = :organization_id
       AND least(expires_at, revoked_at) >= :position::text::bigint
       AND least(expires_at, revoked_at) < :bound::text::bigint
     ORDER BY least(expires_at, revoked_at)
     LIMIT :limit::integer
), old AS MATERIALIZED (
    SELECT id, session_id
      FROM credential
     WHERE organization_id = :organization_id
       AND id = ANY (ARRAY(SELECT id FROM page))
       AND least(expires_at, revoked_at) < :bound::text::bigint
       FOR UPDATE SKIP LOCKED
), token AS (
    DELETE FROM vp_token
     WHERE organization_id = :organization_id
       AND credential_id = ANY (ARRAY(SELECT id FROM old))
), passkey AS (
    DELETE FROM passkey
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
), noted AS (
    UPDATE removed_session
       SET has_credential = false
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT session_id FROM old))
       AND has_credential
       AND (SELECT c.id
              FROM credential c
             WHERE c.organization_id = :organization_id
               AND c.session_id = removed_session.session_id
               AND c.verified_person_id IS NULL
               AND c.id <> ALL (ARRAY(SELECT id FROM old))
             LIMIT 1) IS NULL
), credential AS (
    DELETE FROM credential
     WHERE organization_id = :organization_id
       AND id = ANY (ARRAY(SELECT id FROM old))
)
SELECT (SELECT count(*) FROM old), max(ended_at)::text, count(*),
       (min(ended_at) FILTER (WHERE id <> ALL (ARRAY(SELECT id FROM old))))::text
  FROM page
