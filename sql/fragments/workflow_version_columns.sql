-- The columns of a version v of the workflow w, in the order of
-- store/workflow/workflow.c.
       v.id, v.workflow_id,
       (SELECT count(*)
          FROM workflow_version earlier
         WHERE earlier.organization_id = v.organization_id
           AND earlier.workflow_id = v.workflow_id AND earlier.id <= v.id),
       v.id = w.current_version_id, v.published_by, v.created_at
