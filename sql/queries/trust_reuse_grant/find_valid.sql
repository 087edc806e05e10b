-- The valid grant that application $2 holds of credential $4 of $3.
SELECT
@grant_columns
  FROM trust_reuse_grant g
 WHERE g.source_organization_id = $3 AND g.source_credential_id = $4
   AND g.organization_id = $1 AND g.application_id = $2
   AND g.revoked_at IS NULL
