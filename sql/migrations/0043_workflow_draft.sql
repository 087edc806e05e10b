-- Drafts of workflows, scenarios that publishing tries, and the rule that nobody
-- publishes alone.
ALTER TABLE organization
    ADD COLUMN four_eyes_publish boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN organization.four_eyes_publish IS
    'Nobody publishes a draft that he has changed himself';

ALTER TABLE workflow_version ADD COLUMN published_by text;
COMMENT ON COLUMN workflow_version.published_by IS
    'The login of the operator, or verifyctl; NULL: from before this was kept';
CREATE INDEX workflow_version_by_workflow
    ON workflow_version (organization_id, workflow_id, id);

CREATE TABLE workflow_draft (
    organization_id idv_id NOT NULL,
    id              idv_id NOT NULL,
    workflow_id     idv_id NOT NULL,
    application_id  idv_id,
    base_version_id idv_id,
    definition      json NOT NULL,
    revision        integer NOT NULL CHECK (revision > 0),
    editors         text[] NOT NULL,
    created_by      text NOT NULL,
    updated_by      text NOT NULL,
    created_at      bigint NOT NULL,
    updated_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX workflow_draft_by_workflow
    ON workflow_draft (organization_id, workflow_id, id);
COMMENT ON TABLE workflow_draft IS
    'Definitions that are being written; they may have faults.';
COMMENT ON COLUMN workflow_draft.workflow_id IS
    'What it is to become a version of; reserved while that is not published';
COMMENT ON COLUMN workflow_draft.application_id IS
    'Of a new workflow alone: whose it is to be';
COMMENT ON COLUMN workflow_draft.base_version_id IS
    'The version that was live when the draft was begun; NULL: a new workflow';
COMMENT ON COLUMN workflow_draft.revision IS
    'Counts changes of the definition; the entity tag';
COMMENT ON COLUMN workflow_draft.editors IS
    'Everybody who has changed the definition, each once';

CREATE TABLE workflow_scenario (
    organization_id idv_id NOT NULL,
    id              idv_id NOT NULL,
    workflow_id     idv_id NOT NULL,
    name            text NOT NULL,
    session_type    text NOT NULL,
    jurisdiction    text,
    scenario        json NOT NULL,
    expected        json NOT NULL,
    updated_by      text NOT NULL,
    created_at      bigint NOT NULL,
    updated_at      bigint NOT NULL,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX workflow_scenario_by_workflow
    ON workflow_scenario (organization_id, workflow_id, id);
COMMENT ON TABLE workflow_scenario IS
    'Inputs to a session that nobody has, and what is to come of them.';
