-- Removes those of an organization's next :limit sessions after :position that
-- ended, and last changed, before :cutoff, with all their data. Ids are in the
-- order of creation, so nothing after :bound (the cutoff as an id) qualifies. A
-- session stays if something needs it: a simulation that has not reached it, a
-- second review that waits or that differs from the first and is not settled,
-- or evidence, which is removed first. Each session is checked separately. Rows
-- that another node has locked, or that change now, are skipped. Returns the
-- number removed, the end of the page, its size, and the time in the id of the
-- first one that stays.
--
-- Events and uses of tokens have their own retention; the ledger, credentials
-- and grants stay (conf/manual/privacy.md). The person of the session is noted
-- if it leaves data that an erasure of the person must find. While an erasure
-- is under way in the organization (person/lock_removal.sql) nothing is
-- removed, because it reads both sessions and notes.
@parameters
    organization_id,
    position, bound,  -- ids after the first and before the second
    limit, cutoff
WITH page AS MATERIALIZED (
    SELECT id
      FROM verification_session
     WHERE organization_id = :organization_id
       AND id > :position::text AND id < :bound::text
     ORDER BY id
     LIMIT :limit::integer
), free AS MATERIALIZED (
    SELECT pg_try_advisory_xact_lock_shared(
             hashtextextended('removal of ' || :organization_id::text, 0))
           AS is_free
), old AS MATERIALIZED (
    SELECT s.id, s.verified_person_id, s.email_digest, s.phone_digest,
           s.updated_at
      FROM verification_session s
     WHERE s.organization_id = :organization_id
       AND s.id = ANY (ARRAY(SELECT id FROM page))
       AND s.status IN
@session_ended
       AND s.updated_at < :cutoff::bigint
       AND (SELECT is_free FROM free)
       AND (SELECT k.session_id
              FROM session_data_key k
             WHERE k.organization_id = :organization_id
               AND k.session_id = s.id) IS NULL
       AND (SELECT r.id
              FROM review_entry e
              JOIN second_review r
                ON r.organization_id = e.organization_id AND r.id = e.id
             WHERE e.organization_id = :organization_id
               AND e.session_id = s.id
               AND r.lapsed_at IS NULL
               AND (r.decided_at IS NULL
                    OR (r.second_decision <> r.first_decision
                        AND r.settled_at IS NULL))
             LIMIT 1) IS NULL
       AND (SELECT r.id
              FROM workflow_replay r
             WHERE r.organization_id = :organization_id
               AND r.ended_at IS NULL AND NOT r.is_shadow
               AND r.position < s.id AND s.id < r.last_position
             LIMIT 1) IS NULL
       FOR UPDATE SKIP LOCKED
), left_behind AS (
    SELECT o.id, o.verified_person_id, o.updated_at,
           CASE WHEN o.verified_person_id IS NULL
                THEN o.email_digest END AS email_digest,
           CASE WHEN o.verified_person_id IS NULL
                THEN o.phone_digest END AS phone_digest,
           (SELECT c.id
              FROM credential c
             WHERE c.organization_id = :organization_id
               AND c.session_id = o.id
               AND c.verified_person_id IS NULL
             LIMIT 1
               FOR KEY SHARE OF c) IS NOT NULL AS has_credential,
           (SELECT e.id
              FROM event e
             WHERE e.organization_id = :organization_id
               AND e.object_id = o.id
             LIMIT 1) IS NOT NULL AS has_event
      FROM old o
), noted AS (
    INSERT INTO removed_session (organization_id, session_id,
                                 verified_person_id, email_digest,
                                 phone_digest, has_credential, changed_at)
    SELECT :organization_id, id, verified_person_id, email_digest,
           phone_digest, has_credential, updated_at
      FROM left_behind
     WHERE (has_credential OR has_event)
       AND (verified_person_id IS NOT NULL OR email_digest IS NOT NULL
            OR phone_digest IS NOT NULL)
    ON CONFLICT (organization_id, session_id) DO NOTHING
), job AS (
    DELETE FROM analysis_job
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM old))
), image AS (
    DELETE FROM evidence
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM old))
), challenge AS (
    DELETE FROM liveness_challenge
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM old))
), asked AS (
    DELETE FROM mdl_request
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM old))
), link AS (
    DELETE FROM handoff
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM old))
), page_secret AS (
    DELETE FROM page_secret
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM old))
), login AS (
    DELETE FROM oidc_login
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM old))
), code AS (
    DELETE FROM email_otp
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM old))
), passkey_challenge AS (
    DELETE FROM passkey_challenge
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM old))
), mail AS (
    DELETE FROM outgoing_mail
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM old))
), decision AS (
    DELETE FROM decision_record
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM old))
), sighting AS (
    DELETE FROM document_sighting
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM old))
), too_young AS (
    DELETE FROM age_failure
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM old))
), assessment AS (
    DELETE FROM risk_assessment
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM old))
    RETURNING id
), observation AS (
    DELETE FROM risk_observation
     WHERE organization_id = :organization_id
       AND assessment_id = ANY (ARRAY(SELECT id FROM assessment))
), claim AS (
    DELETE FROM review_claim
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM old))
), review AS (
    DELETE FROM review_entry
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM old))
    RETURNING id
), again AS (
    DELETE FROM second_review
     WHERE organization_id = :organization_id
       AND id = ANY (ARRAY(SELECT id FROM review))
), replayed AS (
    DELETE FROM workflow_replay_session
     WHERE organization_id = :organization_id
       AND replay_id = ANY (ARRAY(SELECT id
                                    FROM workflow_replay
                                   WHERE organization_id = :organization_id))
       AND session_id = ANY (ARRAY(SELECT id FROM old))
), waiting AS (
    DELETE FROM workflow_shadow_session
     WHERE organization_id = :organization_id
       AND replay_id = ANY (ARRAY(SELECT id
                                    FROM workflow_replay
                                   WHERE organization_id = :organization_id))
       AND session_id = ANY (ARRAY(SELECT id FROM old))
), answer AS (
    DELETE FROM idempotency_record
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM old))
), session AS (
    DELETE FROM verification_session
     WHERE organization_id = :organization_id
       AND id = ANY (ARRAY(SELECT id FROM old))
)
SELECT (SELECT count(*) FROM old), max(id), count(*),
       left(min(id) FILTER (WHERE id <> ALL (ARRAY(SELECT id FROM old))), 14)
  FROM page
