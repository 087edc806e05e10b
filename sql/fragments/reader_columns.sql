       r.organization_id, r.id, r.kind, r.status, r.key_type, r.chain,
       r.registration, r.metadata, r.not_after, r.created_at, r.updated_at
