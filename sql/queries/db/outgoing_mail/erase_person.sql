-- What waits to be sent to a person of an organization: of grants that accept
-- the person's credentials elsewhere. Little waits at any time, so each e-mail
-- is asked for its grant.
@parameters organization_id, verified_person_id
DELETE FROM outgoing_mail m
 USING trust_reuse_grant g
 WHERE g.organization_id = m.organization_id AND g.id = m.grant_id
   AND g.source_organization_id = :organization_id
   AND g.verified_person_id = :verified_person_id
