-- Whether the enabled endpoint w gets event e: an organization's endpoints get
-- the events of all applications, an application's endpoint those of its own.
-- Each gets the types that it names, or by * all except notices about the law,
-- which must be named.
       (w.application_id IS NULL OR w.application_id = e.application_id)
   AND (w.enabled_events @> ARRAY[e.type]
        OR (w.enabled_events @> '{*}' AND e.type NOT LIKE 'workflow_law.%'))
