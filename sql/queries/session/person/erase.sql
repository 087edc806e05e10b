-- Erases all data of a person and returns how much of each kind there was.
-- Sessions that named the person without verifying as the person are found by
-- their digests, together with the credentials that browsers' sessions minted
-- for nobody. A session of another person that shares an identifier loses only
-- that. For sessions that retention has removed, removed_session names the
-- person, or else the person's credentials do; what these sessions left behind
-- is erased as well. The statement reads the organization's sessions twice,
-- which an operator can wait for: an index on two digests would slow down each
-- creation. The data of sessions is found by their ids, as an array so that any
-- plan uses the index, and the id of the oldest assessment bounds the hours of
-- observations. Answers that show a session, an assessment or the person are
-- removed with their idempotency keys.
@parameters organization_id, verified_person_id, now
WITH identifier AS (
    DELETE FROM person_identifier
     WHERE organization_id = :organization_id
       AND verified_person_id = :verified_person_id
    RETURNING digest
), credential AS (
    DELETE FROM credential
     WHERE organization_id = :organization_id
       AND verified_person_id = :verified_person_id
    RETURNING id, session_id
), attempt AS (
    DELETE FROM reuse_attempt
     WHERE organization_id = :organization_id
       AND digest IN (SELECT digest FROM identifier)
), shared AS (
    UPDATE verification_session
       SET email_digest =
             CASE WHEN email_digest IN (SELECT digest FROM identifier)
                  THEN NULL ELSE email_digest END,
           phone_digest =
             CASE WHEN phone_digest IN (SELECT digest FROM identifier)
                  THEN NULL ELSE phone_digest END
     WHERE organization_id = :organization_id
       AND verified_person_id IS NOT NULL
       AND verified_person_id <> :verified_person_id
       AND (email_digest IN (SELECT digest FROM identifier)
            OR phone_digest IN (SELECT digest FROM identifier))
    RETURNING id
), session AS (
    UPDATE verification_session
       SET email_digest = NULL,
           phone_digest = NULL,
           verified_person_id = NULL,
           client_reference_id = NULL,
           metadata = '{}',
           user_message = NULL,
           return_url = NULL,
           cancel_url = NULL,
           jurisdiction_audit_ip_derived = NULL,
           giver = NULL,
           client_secret_digest =
             CASE WHEN status IN
@session_ended
                  THEN ''::bytea ELSE client_secret_digest END,
           verification_result = NULL,
           results = NULL,
           answer = NULL,
           runner = ((runner::jsonb - '{way,younger_than,document_kind,
                                       document_issuer,browser}'::text[])
                     || '{"age": -1, "evidence_jurisdiction": null,
                          "evidence_expiry": null, "checks_failed": null,
                          "review_reason": null, "signals": null}')::json,
           revision = revision + 1,
           updated_at = :now::bigint
     WHERE organization_id = :organization_id
       AND (verified_person_id = :verified_person_id
            OR (verified_person_id IS NULL
                AND (email_digest IN (SELECT digest FROM identifier)
                     OR phone_digest IN (SELECT digest FROM identifier))))
    RETURNING id
), removed AS (
    DELETE FROM removed_session
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(
             SELECT session_id
               FROM removed_session
              WHERE organization_id = :organization_id
                AND verified_person_id = :verified_person_id
             UNION
             SELECT session_id
               FROM removed_session
              WHERE organization_id = :organization_id
                AND email_digest = ANY (ARRAY(SELECT digest FROM identifier))
             UNION
             SELECT session_id
               FROM removed_session
              WHERE organization_id = :organization_id
                AND phone_digest = ANY (ARRAY(SELECT digest FROM identifier))))
    RETURNING session_id
), subject AS (
    SELECT id FROM session
    UNION
    SELECT session_id FROM removed
    UNION
    SELECT session_id FROM credential WHERE session_id IS NOT NULL
), nameless AS (
    DELETE FROM credential
     WHERE organization_id = :organization_id AND verified_person_id IS NULL
       AND session_id = ANY (ARRAY(SELECT id FROM subject))
    RETURNING id
), erased_credential AS (
    SELECT id FROM credential
    UNION ALL
    SELECT id FROM nameless
), token AS (
    DELETE FROM vp_token
     WHERE organization_id = :organization_id
       AND credential_id IN (SELECT id FROM erased_credential)
    RETURNING digest
), passkey AS (
    DELETE FROM passkey
     WHERE organization_id = :organization_id
       AND credential_id IN (SELECT id FROM erased_credential)
    RETURNING digest
), passkey_challenge AS (
    DELETE FROM passkey_challenge
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM session))
), page_secret AS (
    DELETE FROM page_secret
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM session))
), presentation AS (
    DELETE FROM vp_token_presentation
     WHERE organization_id = :organization_id
       AND credential_id IN (SELECT id FROM erased_credential)
), evidence AS (
    DELETE FROM evidence
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM session))
    RETURNING side
), challenge AS (
    DELETE FROM liveness_challenge
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM session))
), sighting AS (
    DELETE FROM document_sighting
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM session))
), decision AS (
    DELETE FROM decision_record
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM session))
), age_failure AS (
    DELETE FROM age_failure
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM session))
), asked AS (
    DELETE FROM mdl_request
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM session))
), replayed AS (
    DELETE FROM workflow_replay_session
     WHERE organization_id = :organization_id
       AND replay_id = ANY (ARRAY(SELECT id
                                    FROM workflow_replay
                                   WHERE organization_id = :organization_id))
       AND session_id = ANY (ARRAY(SELECT id FROM session))
), waiting AS (
    DELETE FROM workflow_shadow_session
     WHERE organization_id = :organization_id
       AND replay_id = ANY (ARRAY(SELECT id
                                    FROM workflow_replay
                                   WHERE organization_id = :organization_id))
       AND session_id = ANY (ARRAY(SELECT id FROM session))
), data_key AS (
    DELETE FROM session_data_key
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM session))
    RETURNING session_id
), review AS (
    UPDATE review_entry
       SET note = NULL
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM session))
), second_review AS (
    UPDATE second_review
       SET lapsed_at = :now::bigint
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM session))
       AND decided_at IS NULL AND lapsed_at IS NULL
), observed AS (
    SELECT generate_series(o.hour - 1, :now::bigint / 3600000 + 1) AS hour
      FROM (SELECT hour
              FROM risk_observation
             WHERE organization_id = :organization_id
             ORDER BY assessment_id
             LIMIT 1) o
), assessed AS (
    SELECT id
      FROM risk_assessment
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM session))
    UNION
    SELECT assessment_id
      FROM risk_observation
     WHERE organization_id = :organization_id
       AND hour = ANY (ARRAY(SELECT hour FROM observed))
       AND email_digest = ANY (ARRAY(SELECT digest FROM identifier))
    UNION
    SELECT assessment_id
      FROM risk_observation
     WHERE organization_id = :organization_id
       AND hour = ANY (ARRAY(SELECT hour FROM observed))
       AND phone_digest = ANY (ARRAY(SELECT digest FROM identifier))
), assessment AS (
    DELETE FROM risk_assessment
     WHERE organization_id = :organization_id
       AND id = ANY (ARRAY(SELECT id FROM assessed))
    RETURNING id
), answer AS (
    DELETE FROM idempotency_record
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM subject
                                   UNION SELECT id FROM assessed
                                   UNION SELECT :verified_person_id::text))
), observation AS (
    DELETE FROM risk_observation
     WHERE organization_id = :organization_id
       AND assessment_id = ANY (ARRAY(SELECT id FROM assessed))
), shared_observation AS (
    UPDATE risk_observation
       SET person_digest = NULL
     WHERE organization_id = :organization_id
       AND person_digest IN (SELECT digest FROM identifier)
       AND assessment_id = ANY (ARRAY(
             SELECT a.id
               FROM risk_assessment a
              WHERE a.organization_id = :organization_id
                AND a.session_id = ANY (ARRAY(SELECT id FROM shared))
             EXCEPT
             SELECT id FROM assessed))
), mail AS (
    DELETE FROM outgoing_mail
     WHERE organization_id = :organization_id
       AND session_id = ANY (ARRAY(SELECT id FROM session))
), event AS (
    UPDATE event e
       SET body = jsonb_set(jsonb_set(
               e.body::jsonb, '{data,object}',
               (e.body::jsonb #> '{data,object}')
               || (SELECT coalesce(jsonb_object_agg(m, NULL), '{}')
                     FROM unnest(ARRAY['client_reference_id',
                                       'verification_result', 'reason',
                                       'jurisdiction_audit_ip_derived']) m
                    WHERE (e.body::jsonb #> '{data,object}') ? m)),
               '{data,object,decision_evidence,note}', 'null', false)::text
     WHERE e.organization_id = :organization_id
       AND e.object_id = ANY (ARRAY(SELECT id FROM subject))
    RETURNING e.id
), delivery AS (
    UPDATE webhook_delivery
       SET response = NULL
     WHERE organization_id = :organization_id AND response IS NOT NULL
       AND id = ANY (ARRAY(
             SELECT d.id
               FROM event e
              CROSS JOIN LATERAL (
                SELECT d.id
                  FROM webhook_delivery d
                 WHERE d.organization_id = :organization_id
                   AND
@delivery_of_event
                OFFSET 0) d))
), person AS (
    DELETE FROM verified_person
     WHERE organization_id = :organization_id AND id = :verified_person_id
)
SELECT (SELECT count(*) FROM identifier),
       (SELECT count(*) FROM erased_credential),
       (SELECT count(*) FROM token), (SELECT count(*) FROM session),
       (SELECT count(*) FROM evidence), (SELECT count(*) FROM data_key),
       (SELECT count(*) FROM event), (SELECT count(*) FROM assessment),
       (SELECT count(*) FROM passkey)
