-- Whether the enabled endpoint w gets event e: an organization's endpoints get
-- the events of all applications, an application's endpoint those of its own;
-- each the types that it names, or all.
       (w.application_id IS NULL OR w.application_id = e.application_id)
   AND (w.enabled_events @> ARRAY[e.type] OR w.enabled_events @> '{*}')
