-- What an event or a job was caused by: the trace and the span of core/trace.h, as
-- 24 bytes; NULL: not recorded.
ALTER TABLE event ADD COLUMN trace bytea;
ALTER TABLE analysis_job ADD COLUMN trace bytea;
