-- Up to :limit sightings of documents before :cutoff.
@parameters cutoff, limit
DELETE FROM document_sighting
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM document_sighting
    WHERE created_at < :cutoff::bigint
    LIMIT :limit::integer
      FOR UPDATE SKIP LOCKED))
