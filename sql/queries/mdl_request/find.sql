-- For wallets and persons: not while their organization is disabled.
@parameters organization_id, id
SELECT protocol, session_id, sealed, created_at, expires_at, answered_at,
       returned_at, return_digest IS NOT NULL, verdict, reason
  FROM mdl_request
 WHERE organization_id = :organization_id AND id = :id
   AND
@organization_open
 ORDER BY protocol
