-- Removes an e-mail that was sent or given up, if the lease is still the
-- node's.
@parameters organization_id, session_id, id, leased_until, node
DELETE FROM outgoing_mail
@lease_held
