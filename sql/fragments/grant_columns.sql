-- The columns of a grant in the order of store/transaction/trust_reuse_grant.c.
       g.organization_id, g.id, g.application_id, g.source_organization_id,
       g.source_credential_id, g.session_id, g.verified_person_id, g.method,
       g.age_tier, g.strength, g.granted_at, g.expires_at, g.revoked_at,
       g.revoked_reason
