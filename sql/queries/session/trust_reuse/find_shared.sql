-- Valid credentials that a person shares, of other organizations of the same
-- kind, if both applications take part. What this organization has revoked is
-- excluded, and what the person has revoked until they are verified again.
@parameters
    organization_id, now,
    digest,  -- of the person's identifier
    application_id, limit
SELECT
@credential_columns
     , c.organization_id, mine.max_age_days, mine.require_same_jurisdiction,
       mine.accepted_methods
  FROM trust_reuse_settings mine
  JOIN organization me ON me.id = mine.organization_id
  JOIN shared_credential x
    ON x.digest = :digest::bytea AND x.organization_id <> mine.organization_id
  JOIN organization them
    ON them.id = x.organization_id AND them.sandbox = me.sandbox
   AND them.disabled_at IS NULL
  JOIN trust_reuse_settings theirs
    ON theirs.organization_id = x.organization_id
   AND theirs.application_id = x.application_id AND theirs.enabled
  JOIN credential c
    ON c.organization_id = x.organization_id AND c.id = x.credential_id
 WHERE mine.organization_id = :organization_id
   AND mine.application_id = :application_id
   AND mine.enabled
   AND NOT EXISTS (
         SELECT FROM trust_reuse_grant g
          WHERE g.organization_id = mine.organization_id
            AND g.source_organization_id = c.organization_id
            AND g.verified_person_id = c.verified_person_id
            AND (g.revoked_reason = 'TARGET_OPERATOR_REVOKED'
                 OR (g.revoked_reason = 'USER_REVOKED'
                     AND g.revoked_at >= c.verified_at)))
   AND
@credential_valid
 ORDER BY c.id DESC
 LIMIT :limit::integer
