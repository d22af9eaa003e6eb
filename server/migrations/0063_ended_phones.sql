-- A phone that takes messages can be ended on its own. Its row stays a while, so that it is told of that.
alter table push_subscriptions add column ended_at timestamptz, add column user_agent text not null default '';
