-- The columns of a scenario in the order of store/simulation/workflow_scenario.c.
       id, workflow_id, name, session_type, jurisdiction, scenario, expected,
       updated_by, created_at, updated_at
