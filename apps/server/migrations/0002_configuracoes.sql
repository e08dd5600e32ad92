-- Every saved version of an account's configuration; the highest number is the one in force.
-- Secrets inside `dados` are sealed before they come here.
create table configuracoes (
  conta_id uuid not null references contas (id) on delete cascade,
  versao integer not null,
  dados jsonb not null,
  autor_id uuid,
  autor text not null,
  -- the version a restore was made from
  restaurada_de integer,
  criada_em timestamptz not null default now(),
  primary key (conta_id, versao)
);
alter table configuracoes enable row level security;
alter table configuracoes force row level security;
create policy conta on configuracoes
  using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]));

create table produtos (
  conta_id uuid not null references contas (id) on delete cascade,
  id uuid not null,
  nome text not null,
  descricao text not null,
  preco numeric(12, 2) not null check (preco >= 0),
  link_checkout text,
  ativo boolean not null default true,
  ordem integer not null,
  imagem_url text,
  criado_em timestamptz not null default now(),
  primary key (conta_id, id)
);
create index produtos_ordem on produtos (conta_id, ordem);
alter table produtos enable row level security;
alter table produtos force row level security;
create policy conta on produtos
  using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]));
