-- Second reviews whose time was over at :cutoff lapse: nobody has decided up to
-- :limit of them. Their evidence goes as what an upload left behind does.
@parameters cutoff, limit
UPDATE second_review
   SET lapsed_at = :cutoff::bigint
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM second_review
    WHERE decided_at IS NULL AND lapsed_at IS NULL
      AND deadline_at <= :cutoff::bigint
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
