-- A question about evidence is a job, too, and no submission.
ALTER TABLE analysis_job
    DROP CONSTRAINT analysis_job_submission_check,
    ADD CONSTRAINT analysis_job_submission_check CHECK (submission >= 0);
COMMENT ON COLUMN analysis_job.submission IS
    'runner.submission of the session; 0: a question about evidence, which '
    'changes nothing of the session';
