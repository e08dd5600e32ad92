-- desde: 2.0.0
-- The cost of the AI of each account by local month.
create table gastos_ia (
  conta_id uuid not null references contas (id) on delete cascade,
  -- first day of the month
  mes date not null,
  -- millionths of a cent
  custo bigint not null,
  -- The owner was notified that the budget is used up.
  avisado_em timestamptz,
  primary key (conta_id, mes)
) with (fillfactor = 50);
alter table gastos_ia enable row level security;
alter table gastos_ia force row level security;
create policy conta on gastos_ia using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]));

-- Hosts that accounts may choose as their own AI provider
alter table configuracoes_admin add column ia_hosts jsonb not null default '[]';
