-- Up to :limit notes about the persons of removed sessions, changed before
-- :cutoff and with no data left that they lead to; each is checked separately.
@parameters cutoff, limit
DELETE FROM removed_session
 WHERE ctid = ANY (ARRAY(
   SELECT r.ctid
     FROM removed_session r
    WHERE r.changed_at < :cutoff::bigint AND NOT r.has_credential
      AND (SELECT e.id
             FROM event e
            WHERE e.organization_id = r.organization_id
              AND e.object_id = r.session_id
            LIMIT 1) IS NULL
    LIMIT :limit::integer
      FOR UPDATE OF r SKIP LOCKED))
