-- A buyer asks what became of the places that ended within a week.
create index waiting_ended on waiting_places (user_id, ended_at) where ended_at is not null;
