-- Stores the result of a batch and the start of the next one together, unless
-- the job was stopped or given to another node meanwhile.
@parameters
    organization_id, id, node, now, position, tally,
    finished,  -- flag: this was the last batch
    session_ids, results, befores, afters, reasons,  -- '' for none
    waited  -- ids that no longer wait for it
WITH job AS (
  UPDATE workflow_replay
     SET position = :position::text, tally = :tally::json, attempts = 0,
         status = CASE WHEN :finished::boolean THEN 'done' ELSE 'running' END,
         ended_at = CASE WHEN :finished::boolean THEN :now::bigint END,
         leased_by = NULL,
         leased_until = CASE WHEN is_shadow
@unleased_shadow
                        END,
         updated_at = :now::bigint
   WHERE organization_id = :organization_id::text AND id = :id::text
     AND status = 'running' AND leased_by = :node::text
  RETURNING id
), listed AS (
  INSERT INTO workflow_replay_session (organization_id, replay_id, session_id,
                                       result, before, after, reason)
  SELECT :organization_id::text, job.id, s.session_id, s.result, s.before,
         nullif(s.after, ''), nullif(s.reason, '')
    FROM job
   CROSS JOIN unnest(:session_ids::text[], :results::text[], :befores::text[],
                     :afters::text[], :reasons::text[])
              AS s (session_id, result, before, after, reason)
), taken AS (
  DELETE FROM workflow_shadow_session q
   USING job
   WHERE q.organization_id = :organization_id::text AND q.replay_id = job.id
     AND q.session_id = ANY (:waited::text[])
)
SELECT id FROM job
