-- Stores the certificates of an identity that is not retired.
@parameters organization_id, id, chain, registration, metadata, not_after,
    now
UPDATE reader_identity r
   SET status = 'active', chain = :chain::text[],
       registration = coalesce(:registration::text, r.registration),
       metadata = coalesce(:metadata::bytea, r.metadata),
       not_after = :not_after::bigint, updated_at = :now::bigint
 WHERE r.organization_id = :organization_id AND r.id = :id
   AND r.status <> 'retired'
RETURNING
@reader_columns
