-- What a version says, and whether its workflow has a shadow.
@parameters organization_id, id
SELECT v.compiled,
       EXISTS (SELECT
                 FROM workflow_replay r
                WHERE r.organization_id = v.organization_id
                  AND r.workflow_id = v.workflow_id
                  AND r.is_shadow AND r.ended_at IS NULL)
  FROM workflow_version v
 WHERE v.organization_id = :organization_id AND v.id = :id
