-- Removes a finished job, if the lease is still the node's.
@parameters organization_id, session_id, id, leased_until, node
DELETE FROM analysis_job
@lease_held
