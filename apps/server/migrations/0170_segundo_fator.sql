-- desde: 2.0.0
-- Second factors of people, and the rules about them. Logins are read before the account is known, so the new tables
-- belong to a usuario, as login sessions do.

alter table usuarios
  -- secrets of the authenticator app, sealed: the one in force, and one that waits for its first code
  add column totp_segredo text,
  add column totp_pendente text,
  -- number of the 30 seconds of the last accepted code: each code works once
  add column totp_passo bigint;

create table passkeys (
  id uuid primary key,
  usuario_id uuid not null references usuarios (id) on delete cascade,
  -- id that the authenticator chose
  credencial bytea not null unique,
  -- public key in COSE form
  chave bytea not null,
  contador bigint not null,
  transportes text[] not null default '{}',
  -- host of the panel at which it was made: it works at no other one
  rp_id text not null,
  nome text not null,
  criada_em timestamptz not null,
  ultimo_uso timestamptz
);
create index passkeys_usuario on passkeys (usuario_id);

create table codigos_recuperacao (
  usuario_id uuid not null references usuarios (id) on delete cascade,
  -- first four characters, which find the row
  seletor text not null,
  -- argon2id of the whole code
  hash text not null,
  usado_em timestamptz,
  primary key (usuario_id, seletor)
);

-- Logins between two steps, and challenges for passkeys. Each works once and for five minutes.
create table desafios (
  token_hash bytea primary key,
  uso text not null check (uso in ('entrar', 'passkey', 'cadastro')),
  -- null: the passkey will name the person
  usuario_id uuid references usuarios (id) on delete cascade,
  -- challenge that the authenticator signs
  sorteio text unique,
  -- session that registers a passkey
  sessao bytea references sessoes (token_hash) on delete cascade,
  lembrar boolean not null default false,
  tentativas integer not null default 0,
  expira_em timestamptz not null
);
create index desafios_usuario on desafios (usuario_id) where usuario_id is not null;
create index desafios_sessao on desafios (sessao) where sessao is not null;
create index desafios_expira on desafios (expira_em);

alter table sessoes
  -- last proof of the person; null: sessions from before this migration
  add column confirmada_em timestamptz,
  add column metodo text not null default 'senha' check (metodo in ('senha', 'totp', 'passkey', 'recuperacao')),
  -- browser and system
  add column aparelho text not null default '';

alter table contas
  add column exigir_segundo_fator text not null default 'ninguem' check (exigir_segundo_fator in ('ninguem', 'donos', 'todos')),
  add column sessao_horas integer not null default 720 check (sessao_horas between 1 and 720),
  add column seguranca_versao integer not null default 1;

alter table configuracoes_admin
  add column exigir_segundo_fator_admin boolean not null default false,
  add column politica_senha text not null default 'padrao' check (politica_senha in ('padrao', 'forte')),
  add column recusar_comuns boolean not null default false;
