-- The record of what was done is looked through by who, what and to which object.
CREATE INDEX operator_action_actor
    ON operator_action (organization_id, (entry::json ->> 'actor'), id);
CREATE INDEX operator_action_action
    ON operator_action (organization_id, (entry::json ->> 'action'), id);
CREATE INDEX operator_action_subject
    ON operator_action (organization_id, (entry::json ->> 'subject'), id)
 WHERE entry::json ->> 'subject' IS NOT NULL;
