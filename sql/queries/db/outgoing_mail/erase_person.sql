-- Removes queued e-mails to a person of an organization: those about grants
-- that accept the person's credentials elsewhere. The queue is always short, so
-- the grant of each e-mail is looked up.
@parameters organization_id, verified_person_id
DELETE FROM outgoing_mail m
 USING trust_reuse_grant g
 WHERE g.organization_id = m.organization_id AND g.id = m.grant_id
   AND g.source_organization_id = :organization_id
   AND g.verified_person_id = :verified_person_id
