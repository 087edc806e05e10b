-- Stores a new definition; the draft is locked.
@parameters organization_id, id, definition, editor, updated_at
UPDATE workflow_draft
   SET definition = :definition::json,
       revision = revision + 1,
       editors = CASE WHEN :editor::text = ANY (editors) THEN editors
                      ELSE editors || :editor::text END,
       updated_by = :editor::text,
       updated_at = :updated_at::bigint
 WHERE organization_id = :organization_id AND id = :id
