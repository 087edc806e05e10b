-- The columns of a draft d in the order of store/workflow/workflow_draft.c; w
-- is its workflow, if published.
       d.id, d.workflow_id, coalesce(w.application_id, d.application_id),
       d.base_version_id, w.current_version_id, w.id IS NULL, d.revision,
       d.editors, d.created_by, d.updated_by, d.created_at, d.updated_at,
       CASE WHEN json_typeof(d.definition -> 'name') = 'string'
            THEN left(d.definition ->> 'name', 100)
        END
