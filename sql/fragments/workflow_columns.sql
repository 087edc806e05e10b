-- The columns of a workflow w and its live version v, in the order of
-- store/workflow/workflow.c.
       w.id, w.organization_id, w.application_id, w.name, v.id,
       (SELECT count(*)
          FROM workflow_version earlier
         WHERE earlier.organization_id = w.organization_id
           AND earlier.workflow_id = w.id AND earlier.id <= v.id),
       (SELECT count(*)
          FROM workflow_draft d
         WHERE d.organization_id = w.organization_id AND d.workflow_id = w.id),
       (SELECT count(*)
          FROM workflow_scenario s
         WHERE s.organization_id = w.organization_id AND s.workflow_id = w.id),
       v.compiled, w.created_at, w.updated_at, w.retired_at
