-- Up to :limit risk assessments before :cutoff.
@parameters cutoff, limit
DELETE FROM risk_assessment
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM risk_assessment
    WHERE created_at < :cutoff::bigint
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
