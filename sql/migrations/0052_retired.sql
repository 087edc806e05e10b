-- Workflows and applications that take no new sessions. What runs goes on.
ALTER TABLE workflow ADD COLUMN retired_at bigint;
COMMENT ON COLUMN workflow.retired_at IS
    'Since when no session begins in it; NULL: they do';
ALTER TABLE application ADD COLUMN retired_at bigint;
COMMENT ON COLUMN application.retired_at IS
    'Since when its keys create no sessions; NULL: they do';
