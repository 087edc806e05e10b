-- No row if the workflow has the maximum of scenarios already.
@parameters
    organization_id, id, workflow_id, name, session_type, jurisdiction,
    scenario, expected, editor, created_at, most
INSERT INTO workflow_scenario (organization_id, id, workflow_id, name,
                               session_type, jurisdiction, scenario, expected,
                               updated_by, created_at, updated_at)
SELECT :organization_id::text, :id::text, :workflow_id::text, :name::text,
       :session_type::text, :jurisdiction::text, :scenario::json,
       :expected::json, :editor::text, :created_at::bigint,
       :created_at::bigint
 WHERE (SELECT count(*)
          FROM workflow_scenario
         WHERE organization_id = :organization_id::text
           AND workflow_id = :workflow_id::text) < :most::integer
RETURNING id
