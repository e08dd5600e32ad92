-- desde: 2.0.0
-- Sums over all contas, so that pages and metrics read no table with a row for each conta and day. The counters contain
-- the days up to `ate`. `arquivos` and `arquivos_bytes` are counted again each hour.
create table totais (
  unica boolean primary key default true check (unica),
  ate date not null default '-infinity',
  enviadas bigint not null default 0,
  recebidas bigint not null default 0,
  perguntas bigint not null default 0,
  falhas bigint not null default 0,
  tokens bigint not null default 0,
  arquivos bigint not null default 0,
  arquivos_bytes bigint not null default 0
);
create index uso_diario_dia on uso_diario (dia);
create index uso_ia_dia on uso_ia (dia);
