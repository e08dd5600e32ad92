-- Accounts, the people who log in, and what the administrator sets for everybody.
-- Columns are the domain's words in snake_case; queries read them in camelCase
-- (Kysely's CamelCasePlugin with maintainNestedObjectKeys, or an alias in plain SQL).

-- The accounts a transaction may see: set with set_config('app.contas', 'id,id', true).
-- Nothing set means nothing visible: the wall fails closed.
create function app_contas() returns uuid[] language sql stable parallel safe as $$
  select case when current_setting('app.contas', true) in ('', '*') then '{}'::uuid[]
              else string_to_array(current_setting('app.contas', true), ',')::uuid[] end
$$;

-- System work over every account (recovery, retention, administrator's totals) says so with '*'.
create function app_sistema() returns boolean language sql stable parallel safe as $$
  select coalesce(current_setting('app.contas', true) = '*', false)
$$;

create table contas (
  id uuid primary key,
  empresa text not null,
  plano text not null default 'gratuito' check (plano in ('gratuito', 'doacao')),
  limite_mensagens_dia integer not null check (limite_mensagens_dia >= 1),
  -- null is no cap
  opcoes_menu_maximo integer check (opcoes_menu_maximo >= 1),
  -- false once a plan without AI was applied
  ia_permitida boolean not null default true,
  componentes_permitidos jsonb not null,
  -- administrators' accounts are counted, never limited
  sem_limite boolean not null default false,
  manutencao boolean not null default false,
  fuso text not null default 'America/Sao_Paulo',
  criada_em timestamptz not null default now(),
  excluida_em timestamptz
);

create table usuarios (
  id uuid primary key,
  conta_id uuid not null references contas (id) on delete cascade,
  nome text not null,
  -- kept in lower case
  email text not null,
  telefone text not null default '',
  tipo text not null check (tipo in ('admin', 'usuario', 'operador')),
  status text not null check (status in ('pendente', 'ativo', 'inativo')),
  senha_hash text not null,
  setores jsonb not null default '[]',
  data_criacao timestamptz not null default now(),
  excluido_em timestamptz
);
create unique index usuarios_email on usuarios (email) where excluido_em is null;
create index usuarios_conta on usuarios (conta_id);
create index usuarios_data on usuarios (data_criacao desc);

-- Login sessions: only the SHA-256 of a token is kept.
create table sessoes (
  token_hash bytea primary key,
  usuario_id uuid not null references usuarios (id) on delete cascade,
  criada_em timestamptz not null default now(),
  expira_em timestamptz not null,
  ultimo_uso timestamptz not null default now(),
  ip text not null default '',
  agente text not null default '',
  revogada_em timestamptz
);
create index sessoes_usuario on sessoes (usuario_id) where revogada_em is null;
create index sessoes_expira on sessoes (expira_em);

create table redefinicoes_senha (
  token_hash bytea primary key,
  usuario_id uuid not null references usuarios (id) on delete cascade,
  criada_em timestamptz not null default now(),
  expira_em timestamptz not null,
  usada_em timestamptz
);

-- One row per guarded attempt (wrong password, sign-up, reset mail): limits count rows in a window.
create table tentativas (
  chave text not null,
  em timestamptz not null default now()
);
create index tentativas_chave on tentativas (chave, em);

-- Every mail the product wrote, sent or not.
create table emails (
  id uuid primary key,
  conta_id uuid references contas (id) on delete set null,
  tipo text not null,
  -- at most one mail of this key is ever written (for example the day's limit warning)
  chave text unique,
  para text not null,
  assunto text not null,
  texto text not null,
  criado_em timestamptz not null default now(),
  enviado_em timestamptz,
  tentativas integer not null default 0,
  proxima_em timestamptz not null default now(),
  erro text
);
create index emails_fila on emails (proxima_em) where enviado_em is null;
create index emails_data on emails (criado_em desc);

create table configuracoes_admin (
  unica boolean primary key default true check (unica),
  limite_usuarios_por_plano integer not null default 100,
  mensagens_por_dia integer not null default 1000,
  permitir_auto_registro boolean not null default true,
  notificacoes_email boolean not null default true
);
insert into configuracoes_admin default values;
