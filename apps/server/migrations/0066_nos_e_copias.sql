-- The processes of this installation, as each says of itself twice a minute.
create table nos (
  id uuid primary key,
  nome text not null,
  versao text not null,
  node text not null,
  iniciado_em timestamptz not null,
  visto_em timestamptz not null,
  memoria bigint not null,
  cpu real not null
);

-- When the data were last written to a file (`npm run db:export`).
create table copias_seguranca (
  id bigint generated always as identity primary key,
  em timestamptz not null default now(),
  linhas bigint not null,
  tabelas integer not null,
  bytes bigint not null,
  cifrada boolean not null
);
