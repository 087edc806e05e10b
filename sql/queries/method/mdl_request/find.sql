-- For wallets and persons: no row while their organization is disabled.
@parameters organization_id, id
SELECT
@mdl_request_columns
  FROM mdl_request m
 WHERE m.organization_id = :organization_id AND m.id = :id
   AND
@organization_open
 ORDER BY m.protocol
