-- Whether delivery d is of event e. Its id begins with the time of the event
-- (delivery_id.sql), so all deliveries of an event are neighbours in the index.
       d.id > 'whd_' || substr(e.id, 5, 10)
   AND d.id < 'whd_' || substr(e.id, 5, 10) || '~'
   AND d.event_id = e.id
