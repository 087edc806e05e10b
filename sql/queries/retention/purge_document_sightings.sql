-- Up to $2 sightings of documents from before $1.
DELETE FROM document_sighting
 WHERE ctid = ANY (ARRAY(
   SELECT ctid
     FROM document_sighting
    WHERE created_at < $1::bigint
    LIMIT $2::integer
      FOR UPDATE SKIP LOCKED))
