-- Marks of deleted messages: HMAC of the service and the service's id. A message delivered again is recognized by them.
create table vistos (
  conta_id uuid not null references contas (id) on delete cascade,
  marca text not null,
  ate timestamptz not null,
  primary key (conta_id, marca)
);
create index vistos_ate on vistos (conta_id, ate);
alter table vistos enable row level security;
alter table vistos force row level security;
create policy conta on vistos
  using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]));
