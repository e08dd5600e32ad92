-- Imports of a backup. While one has no decision, no bot starts and no mail leaves.
-- An import of an older file runs this statement before the migrations, in the transaction of its rows.
create table if not exists restauracoes (
  id bigint generated always as identity primary key,
  -- when the backup was made
  copia_de timestamptz not null,
  importada_em timestamptz not null default now(),
  decidida_em timestamptz,
  decisao text check (decisao in ('descartar', 'enviar'))
);
