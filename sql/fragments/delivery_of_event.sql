-- Whether delivery d is of event e. Its id begins with the time of the event
-- (delivery_id.sql), so that all of one event are a few neighbours in the
-- index.
       d.id > 'whd_' || substr(e.id, 5, 10)
   AND d.id < 'whd_' || substr(e.id, 5, 10) || '~'
   AND d.event_id = e.id
