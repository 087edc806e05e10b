-- Records that a session showed these pictures of a person, as HMACs.
@parameters organization_id, session_id, digests, now
INSERT INTO document_sighting (organization_id, digest, session_id, created_at)
SELECT :organization_id::text, decode(d.digest, 'hex'), :session_id::text,
       :now::bigint
  FROM unnest(:digests::text[]) AS d (digest)
ON CONFLICT (organization_id, digest, session_id) DO NOTHING
