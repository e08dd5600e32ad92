-- desde: 2.0.0
-- When the customer of a conversa is reminded of an unfinished cart. The cart itself is in the state of the bot.
create table carrinhos_parados (
  conta_id uuid not null references contas (id) on delete cascade,
  conversa_id uuid not null,
  vence_em timestamptz not null,
  primary key (conta_id, conversa_id),
  foreign key (conta_id, conversa_id) references conversas (conta_id, id) on delete cascade
);
create index carrinhos_parados_vence on carrinhos_parados (vence_em);

alter table carrinhos_parados enable row level security;
alter table carrinhos_parados force row level security;
create policy conta on carrinhos_parados using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]));
