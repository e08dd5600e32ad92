-- desde: 2.0.0
-- Builds of the panel that a process served in the last 7 days, and their files. Pages of another build load them.
create table painel_versoes (
  versao text primary key,
  vista_em timestamptz not null default now()
);
create table painel_arquivos (
  nome text not null,
  versao text not null references painel_versoes on delete cascade,
  bytes bytea not null,
  primary key (nome, versao)
);
create index painel_arquivos_versao on painel_arquivos (versao);
-- Compressed files do not get smaller.
alter table painel_arquivos alter column bytes set storage external;
