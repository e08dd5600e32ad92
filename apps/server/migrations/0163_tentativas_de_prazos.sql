-- desde: 2.0.0
-- Failed attempts of due work. A scheduled message is tried again at `tentar_em`; a timer moves its `vence_em`.
alter table agendadas
  add column tentativas integer not null default 0,
  add column tentar_em timestamptz;
alter table prazos add column tentativas integer not null default 0;
