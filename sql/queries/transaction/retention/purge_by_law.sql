-- Data that the law allows to be kept for some days only: the findings of up to
-- :limit sessions that were decided that many days before :cutoff, or an hour
-- if the limit is zero days, so that webhooks are delivered and the result can
-- be retrieved. The records of the decisions, the hashes of documents, the
-- events and the credentials with their tokens and passkeys are removed as well.
-- A session that a delivery or a second review still needs is left until the
-- next time.
@parameters cutoff, limit
WITH due AS (
  SELECT s.organization_id, s.id
    FROM verification_session s
   WHERE s.compliance ->> 'data_retention_days' IS NOT NULL
     AND (s.results IS NOT NULL OR s.verification_result IS NOT NULL)
     AND s.status IN
@session_ended
     AND s.updated_at < :cutoff::bigint - greatest(
           (s.compliance ->> 'data_retention_days')::bigint * 86400000,
           3600000)
     AND NOT EXISTS (
           SELECT FROM second_review r
            WHERE r.organization_id = s.organization_id
              AND r.session_id = s.id
              AND r.decided_at IS NULL AND r.lapsed_at IS NULL)
     AND NOT EXISTS (
           SELECT FROM event e
             JOIN webhook_delivery d
               ON d.organization_id = e.organization_id
              AND d.status = 'pending'
              AND
@delivery_of_event
            WHERE e.organization_id = s.organization_id
              AND e.object_id = s.id)
   LIMIT :limit::integer
     FOR UPDATE OF s SKIP LOCKED
), emptied AS (
  UPDATE verification_session s
     SET results = NULL, verification_result = NULL
    FROM due
   WHERE s.organization_id = due.organization_id AND s.id = due.id
), decisions AS (
  DELETE FROM decision_record d
   USING due
   WHERE d.organization_id = due.organization_id AND d.session_id = due.id
), sightings AS (
  DELETE FROM document_sighting d
   USING due
   WHERE d.organization_id = due.organization_id AND d.session_id = due.id
), events AS (
  DELETE FROM event e
   USING due
   WHERE e.organization_id = due.organization_id AND e.object_id = due.id
), ended AS MATERIALIZED (
  SELECT c.organization_id, c.id
    FROM credential c
    JOIN due ON c.organization_id = due.organization_id
            AND c.session_id = due.id
     FOR UPDATE OF c
), tokens AS (
  DELETE FROM vp_token t
   USING ended
   WHERE t.organization_id = ended.organization_id
     AND t.credential_id = ended.id
), passkeys AS (
  DELETE FROM passkey p
   USING ended
   WHERE p.organization_id = ended.organization_id
     AND p.credential_id = ended.id
), used AS (
  DELETE FROM vp_token_presentation p
   USING ended
   WHERE p.organization_id = ended.organization_id
     AND p.credential_id = ended.id
), shared AS (
  DELETE FROM shared_credential h
   USING ended
   WHERE h.organization_id = ended.organization_id
     AND h.credential_id = ended.id
), credentials AS (
  DELETE FROM credential c
   USING ended
   WHERE c.organization_id = ended.organization_id AND c.id = ended.id
)
SELECT count(*) FROM due
