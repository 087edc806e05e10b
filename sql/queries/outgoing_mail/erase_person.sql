-- What waits to be sent to person $2 of organization $1: of grants that accept
-- the person's credentials elsewhere. Little waits at any time, so each e-mail
-- is asked for its grant.
DELETE FROM outgoing_mail m
 USING trust_reuse_grant g
 WHERE g.organization_id = m.organization_id AND g.id = m.grant_id
   AND g.source_organization_id = $1 AND g.verified_person_id = $2
