-- desde: 2.0.0
-- The chat on the site: settings of a line, its visitors, and the order in which a visitor receives the messages. The
-- messages themselves are in `mensagens`, under the contato of the visitor's address.
create table webchats (
  conta_id uuid not null references contas (id) on delete cascade,
  linha_id uuid not null,
  -- public: part of the address of the chat
  chave text not null unique,
  origens text[] not null default '{}',
  cor text not null,
  saudacao text not null,
  pedir_nome boolean not null,
  -- sealed; '': none yet
  segredo text not null default '',
  primary key (conta_id, linha_id)
);

create table webchat_visitantes (
  conta_id uuid not null,
  id uuid not null,
  linha_id uuid not null,
  token_hash bytea not null unique,
  -- the same for all devices with one proved identity
  endereco text not null,
  nome text not null,
  -- id in the shop's own system; '': not proved
  identidade text not null,
  pagina text not null,
  criado_em timestamptz not null,
  expira_em timestamptz not null,
  primary key (conta_id, id),
  foreign key (conta_id, linha_id) references webchats (conta_id, linha_id) on delete cascade
);
create index webchat_visitantes_endereco on webchat_visitantes (conta_id, endereco);
create index webchat_visitantes_fim on webchat_visitantes (conta_id, expira_em);

-- `ordem` grows in the order of the commits of one address, which the ids of `mensagens` do not: a failed message that
-- is sent again keeps its id.
create table webchat_eventos (
  conta_id uuid not null,
  endereco text not null,
  ordem bigint generated always as identity,
  mensagem_id uuid not null,
  tipo text not null check (tipo in ('mensagem', 'entregue', 'lida')),
  primary key (conta_id, endereco, ordem),
  foreign key (conta_id, mensagem_id) references mensagens (conta_id, id) on delete cascade
);
create unique index webchat_eventos_mensagem on webchat_eventos (conta_id, mensagem_id, tipo);

do $$
declare tabela text;
begin
  foreach tabela in array array['webchats', 'webchat_visitantes', 'webchat_eventos'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('alter table %I force row level security', tabela);
    execute format('create policy conta on %I using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]))', tabela);
  end loop;
end $$;
