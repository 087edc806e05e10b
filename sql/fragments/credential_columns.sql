-- The columns of a credential in the order of store/session/credential_record.c.
       c.id, c.verified_person_id, c.method, c.strength, c.age_tier,
       c.age_over, c.methods, c.jurisdiction, c.verified_at, c.expires_at,
       c.assurance
