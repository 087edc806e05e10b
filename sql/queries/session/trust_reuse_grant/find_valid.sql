-- The valid grant of an application for another organization's credential.
@parameters
    organization_id, application_id, source_organization_id,
    source_credential_id
SELECT
@grant_columns
  FROM trust_reuse_grant g
 WHERE g.source_organization_id = :source_organization_id
   AND g.source_credential_id = :source_credential_id
   AND g.organization_id = :organization_id
   AND g.application_id = :application_id
   AND g.revoked_at IS NULL
