       l.organization_id, l.id, l.kind, l.name, v.id, v.sequence, v.issued_at,
       v.next_update_at, v.created_at, encode(v.source_digest, 'hex'),
       encode(v.signer_digest, 'hex'), v.certificate_count, v.passed_over,
       v.id IS NOT DISTINCT FROM l.current_version_id
