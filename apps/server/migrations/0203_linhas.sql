-- desde: 2.0.0
-- Lines: the numbers and web chats of an account. The first line of an account has the id of the account. An account
-- without rows has that line alone, as the version before knows it.
create table linhas (
  conta_id uuid not null references contas (id) on delete cascade,
  id uuid not null,
  nome text not null,
  -- null: as `whatsapp.conector` of the settings, which is so for the main line alone
  conector text,
  principal boolean not null default false,
  cor text not null default 'blue',
  -- '': no setor
  setor text not null default '',
  ativa boolean not null default true,
  versao integer not null default 1,
  criada_em timestamptz not null,
  -- the history keeps the name of a deleted line
  removida_em timestamptz,
  primary key (conta_id, id),
  check (principal = (conector is null)),
  check (not principal or removida_em is null)
);
create unique index linhas_principal on linhas (conta_id) where principal;
create unique index linhas_nome on linhas (conta_id, lower(nome)) where removida_em is null;

-- The dialogue of a contato on each line but the first, whose dialogue is in the columns of the same names of `contatos`.
create table dialogos (
  conta_id uuid not null,
  contato_id uuid not null,
  linha_id uuid not null,
  estado jsonb,
  conversa_id uuid,
  endereco text not null,
  ultima_atividade timestamptz not null,
  janela_desde timestamptz,
  ultima_saida uuid,
  primary key (conta_id, contato_id, linha_id),
  foreign key (conta_id, contato_id) references contatos (conta_id, id) on delete cascade
) with (fillfactor = 60);

-- Null: the first line.
alter table conversas add column linha_id uuid;
alter table saida add column linha_id uuid;
alter table perguntas_ia add column linha_id uuid;
alter table contas add column limite_linhas integer not null default 3;
alter table usuarios add column linhas jsonb not null default '[]';

do $$
declare tabela text;
begin
  foreach tabela in array array['linhas', 'dialogos'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('alter table %I force row level security', tabela);
    execute format('create policy conta on %I using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]))', tabela);
  end loop;
end $$;
create index dialogos_conversa on dialogos (conta_id, conversa_id) where conversa_id is not null;
