-- Bot sessions and who runs them.

-- Fencing numbers of leases only grow.
create sequence epocas;

create table bots (
  conta_id uuid primary key references contas (id) on delete cascade,
  -- the owner wants it running: after a crash any node starts it again
  desejado boolean not null default false,
  conector text not null default 'simulador',
  status text not null default 'PARADO',
  motivo text,
  qr_code text,
  qr_expira_em timestamptz,
  conectado_como text,
  -- what the connector needs to come back without a new scan, sealed
  credenciais jsonb,
  -- the lease: node, fencing number, expiry by the database's clock
  no text,
  epoca bigint not null default 0,
  lease_expira timestamptz,
  -- since when a wanted bot has no connection (for the alert mail)
  desconectado_desde timestamptz,
  atualizado_em timestamptz not null default now()
);
create index bots_desejado on bots (lease_expira) where desejado;
alter table bots enable row level security;
alter table bots force row level security;
create policy conta on bots
  using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]));
