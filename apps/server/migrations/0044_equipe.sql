-- Somebody who was invited has no password until the link of the mail is used.
alter table usuarios alter column senha_hash drop not null;

-- What operators write with `/` and a short name, in the order the account gave them.
create table respostas_rapidas (
  conta_id uuid not null references contas (id) on delete cascade,
  atalho text not null,
  texto text not null,
  ordem integer not null,
  primary key (conta_id, atalho)
);
alter table respostas_rapidas enable row level security;
alter table respostas_rapidas force row level security;
create policy conta on respostas_rapidas
  using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]));
