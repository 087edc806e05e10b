-- Removes the entries that waited for the `job`s that end here.
  DELETE FROM workflow_shadow_session q
   USING job
   WHERE q.organization_id = job.organization_id AND q.replay_id = job.id
