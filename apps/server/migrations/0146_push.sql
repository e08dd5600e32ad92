-- desde: 2.0.0
-- Notices on the phone (Web Push).

-- The pair of keys with which this installation signs at the push services; the private one is sealed.
alter table configuracoes_admin
  add column vapid_publica text,
  add column vapid_privada text;

-- A browser that receives notices, until its login session ends.
create table push_inscricoes (
  conta_id uuid not null references contas (id) on delete cascade,
  id uuid not null,
  usuario_id uuid not null references usuarios (id) on delete cascade,
  sessao bytea not null references sessoes (token_hash) on delete cascade,
  -- SHA-256 of the address: a browser is listed once
  marca bytea not null,
  -- address and keys as JSON, sealed
  destino text not null,
  criada_em timestamptz not null,
  primary key (conta_id, id),
  unique (conta_id, marca)
);
create index push_inscricoes_usuario on push_inscricoes (usuario_id);
create index push_inscricoes_sessao on push_inscricoes (sessao);

-- No row: the defaults.
create table push_preferencias (
  conta_id uuid not null references contas (id) on delete cascade,
  usuario_id uuid not null references usuarios (id) on delete cascade,
  fila_dos_meus_setores boolean not null default true,
  minhas_conversas boolean not null default true,
  mencoes boolean not null default true,
  bot_desconectado boolean not null default true,
  mostrar_nome boolean not null default false,
  primary key (conta_id, usuario_id)
);
create index push_preferencias_usuario on push_preferencias (usuario_id);

-- One row for each notice of a usuario. Of a conversa there is one, which stays until the conversa is deleted: it is
-- sent again only after the usuario opened the conversa.
create table push_avisos (
  conta_id uuid not null references contas (id) on delete cascade,
  usuario_id uuid not null references usuarios (id) on delete cascade,
  -- 'conversa:<id>', 'mencao:<conversa>', 'bot:<since>' or 'teste:<id>'
  chave text not null,
  tipo text not null check (tipo in ('fila', 'mensagem', 'mencao', 'botDesconectado', 'teste')),
  conversa_id uuid,
  criado_em timestamptz not null,
  -- next attempt; null: sent or given up
  proxima_em timestamptz,
  tentativas integer not null default 0,
  -- inscricoes that took the notice
  entregues uuid[] not null default '{}',
  aberta_em timestamptz,
  primary key (conta_id, usuario_id, chave),
  foreign key (conta_id, conversa_id) references conversas (conta_id, id) on delete cascade
);
create index push_avisos_devidos on push_avisos (proxima_em) where proxima_em is not null;
create index push_avisos_conversa on push_avisos (conta_id, conversa_id) where conversa_id is not null;
create index push_avisos_usuario on push_avisos (usuario_id);

do $$
declare tabela text;
begin
  foreach tabela in array array['push_inscricoes', 'push_preferencias', 'push_avisos'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('alter table %I force row level security', tabela);
    execute format('create policy conta on %I using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]))', tabela);
  end loop;
end $$;
