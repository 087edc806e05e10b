@parameters
    organization_id, id, workflow_id, name, session_type, jurisdiction,
    scenario, expected, editor, updated_at
UPDATE workflow_scenario
   SET name = :name,
       session_type = :session_type,
       jurisdiction = :jurisdiction,
       scenario = :scenario::json,
       expected = :expected::json,
       updated_by = :editor,
       updated_at = :updated_at::bigint
 WHERE organization_id = :organization_id AND workflow_id = :workflow_id
   AND id = :id
RETURNING id
