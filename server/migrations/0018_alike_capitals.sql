-- A letter may look like none of ASCII until it is made small or loses its mark: Ɑ is ɑ, and ӓ is а. So the tables of 0017
-- are read twice.
alter function username_skeleton(text) rename to username_skeleton_once;
create function username_skeleton(name text) returns text language sql immutable parallel safe as $$
  select username_skeleton_once(username_skeleton_once(name))
$$;
alter function admin_name_skeleton(text) rename to admin_name_skeleton_once;
create function admin_name_skeleton(name text) returns text language sql immutable parallel safe as $$
  select admin_name_skeleton_once(admin_name_skeleton_once(name))
$$;

-- Where an older account has the name already, the skeleton stays as it was: both can log in as before.
update users set name_skeleton = folded.skeleton
  from (select distinct on (skeleton) id, skeleton
          from (select id, created_at, name_skeleton, username_skeleton(username) as skeleton
                  from users
                 where name_skeleton is not null) named
         where skeleton <> name_skeleton
           and not exists (select from users other where other.name_skeleton = named.skeleton)
         order by skeleton, created_at, id) folded
 where users.id = folded.id;
