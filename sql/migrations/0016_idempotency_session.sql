-- Whose session an answer shows: an erasure takes it back.
ALTER TABLE idempotency_record ADD COLUMN session_id idv_id;
