-- WhatsApp Business Cloud API: one number of Meta's per account, and what its webhook brought.

create table oficial_contas (
  conta_id uuid primary key references contas (id) on delete cascade,
  -- Meta's ids of the number and of the business account it belongs to
  telefone_id text not null,
  conta_whatsapp_id text not null,
  -- sealed; empty when it is not known
  token text not null,
  segredo text not null,
  -- sealed: what the owner copies into Meta's page, and Meta says when it asks whether the webhook is ours
  verificacao text not null,
  -- the last part of the webhook's address: 256 random bits
  endereco text not null,
  atualizado_em timestamptz not null default now()
);
create unique index oficial_contas_endereco on oficial_contas (endereco);

-- The journal: what Meta brought and the bot has not received yet. Written before Meta is told that it arrived. A row lives
-- for milliseconds, or until the bot runs again.
create table oficial_chegadas (
  conta_id uuid not null references contas (id) on delete cascade,
  id text not null,
  ordem bigint generated always as identity,
  -- sealed
  valor text not null,
  chegou_em timestamptz not null default now(),
  primary key (conta_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

do $$
declare tabela text;
begin
  foreach tabela in array array['oficial_contas', 'oficial_chegadas'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('alter table %I force row level security', tabela);
    execute format('create policy conta on %I using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]))', tabela);
  end loop;
end $$;
