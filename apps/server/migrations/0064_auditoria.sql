-- Who did what, to whom, when, from where and with which result: written in the transaction of the act itself.
-- append-only: auditoria
create table auditoria (
  -- time-ordered (UUIDv7)
  id uuid primary key,
  em timestamptz not null,
  acao text not null,
  resultado text not null default 'feito' check (resultado in ('feito', 'recusado')),
  -- people as they were called then, not as they are called now; null is the product itself
  quem_id uuid,
  quem_nome text not null default '',
  quem_email text not null default '',
  -- the account the act is about; null once it was erased, or when there is none
  conta_id uuid,
  alvo_id uuid,
  alvo_nome text not null default '',
  alvo_email text not null default '',
  ip text not null default '',
  detalhe text not null default ''
);
create index auditoria_conta on auditoria (conta_id, id desc);
create index auditoria_acao on auditoria (acao, id desc);

-- Anybody's act may be written down; only work over every account (the administrator's list, the terms) reads it.
alter table auditoria enable row level security;
alter table auditoria force row level security;
create policy incluir on auditoria for insert with check (true);
create policy sistema on auditoria using ((select app_sistema()));

-- The two changes that the trail knows. They run as the owner, and each looks by itself whether it is due: whoever holds the
-- working role can neither take back what was done this year nor take the names out of a living account's acts.
create function auditoria_vencida(agora timestamptz, limite integer) returns bigint
language plpgsql security definer set search_path = public as $$
declare foram bigint;
begin
  delete from auditoria where id in (
    select id from auditoria where em < least(agora, now()) - interval '365 days' order by id limit limite);
  get diagnostics foram = row_count;
  return foram;
end $$;

create function auditoria_sem_nomes(conta uuid) returns void
language plpgsql security definer set search_path = public as $$
begin
  if not exists (select 1 from contas where id = conta and excluida_em < now() - interval '29 days') then
    raise exception 'account % is not due for erasure', conta;
  end if;
  update auditoria set quem_nome = '', quem_email = ''
   where quem_id in (select id from usuarios where conta_id = conta)
      or quem_email in (select email from usuarios where conta_id = conta);
  update auditoria set alvo_nome = '', alvo_email = '', conta_id = null where conta_id = conta;
end $$;
