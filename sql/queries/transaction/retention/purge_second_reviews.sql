-- Lets up to :limit second reviews lapse whose time was over at :cutoff without
-- a decision. Their evidence is then removed like leftovers of uploads.
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
