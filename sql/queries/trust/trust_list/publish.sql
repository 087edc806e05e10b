-- Adds a version to a list, which becomes the current one.
@parameters
    organization_id, trust_list_id, id, source_digest, signer_digest, sequence,
    issued_at, next_update_at, passed_over,
    certificates,  -- array of {"certificate": hex, "is_signer", "doc_types"}
    now
WITH item AS (
    SELECT position, decode(value->>'certificate', 'hex') AS certificate,
           (value->>'is_signer')::boolean AS is_signer,
           ARRAY(SELECT jsonb_array_elements_text(value->'doc_types'))
               AS doc_types
      FROM jsonb_array_elements(:certificates::jsonb)
           WITH ORDINALITY AS element (value, position)
), stored AS (
    INSERT INTO trust_certificate (digest, certificate)
    SELECT sha256(certificate), certificate
      FROM item
     ORDER BY 1
    ON CONFLICT (digest) DO NOTHING
), placed AS (
    INSERT INTO trust_list_certificate
           (organization_id, trust_list_version_id, position, digest, is_signer,
            doc_types)
    SELECT :organization_id, :id, position, sha256(certificate), is_signer,
           doc_types
      FROM item
), version AS (
    INSERT INTO trust_list_version
           (organization_id, id, trust_list_id, source_digest, signer_digest,
            sequence, issued_at, next_update_at, certificate_count, passed_over,
            created_at)
    SELECT :organization_id, :id, :trust_list_id, :source_digest::bytea,
           :signer_digest::bytea, :sequence::bigint, :issued_at::bigint,
           :next_update_at::bigint, (SELECT count(*) FROM item),
           :passed_over::integer, :now::bigint
    RETURNING organization_id, trust_list_id, id
)
UPDATE trust_list l
   SET current_version_id = v.id, updated_at = :now::bigint
  FROM version v
 WHERE l.organization_id = v.organization_id AND l.id = v.trust_list_id
