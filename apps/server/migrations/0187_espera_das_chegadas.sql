-- desde: 2.0.0
-- Failed attempts to open an entry of the webhook. It is tried again at `tentar_em`.
alter table oficial_chegadas
  add column tentativas integer not null default 0,
  add column tentar_em timestamptz;
