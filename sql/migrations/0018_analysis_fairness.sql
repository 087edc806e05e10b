-- Each organization's submissions in the order in which they are due: the
-- claim takes them in turn.
CREATE INDEX analysis_job_of_organization
    ON analysis_job (organization_id, due_at);
DROP INDEX analysis_job_due;
