-- What an account promises its customers about their data (LGPD), and what they were told and decided.

-- No row: nobody touched it, and the defaults hold.
create table privacidade (
  conta_id uuid primary key references contas (id) on delete cascade,
  -- conversations quieter than this are erased
  retencao_dias integer not null default 180 check (retencao_dias between 7 and 3650),
  -- a court or an authority asked to keep everything: nothing is erased meanwhile
  guarda_legal boolean not null default false,
  aviso_ativo boolean not null default false,
  -- the text in force, below; 0 is the product's own
  aviso_versao integer not null default 0
);

-- Every text that customers were ever shown: a consent points at the one it was given to.
create table avisos_privacidade (
  conta_id uuid not null references contas (id) on delete cascade,
  versao integer not null,
  texto text not null,
  criado_em timestamptz not null default now(),
  primary key (conta_id, versao)
);

-- The notice was shown, silence was asked for, or taken back. It goes with its customer.
create table consentimentos (
  conta_id uuid not null,
  id uuid not null,
  contato_id uuid not null,
  ato text not null check (ato in ('aviso', 'parada', 'retomada')),
  -- of the notice that was shown; null for what the customer asked
  aviso_versao integer,
  canal text not null,
  criado_em timestamptz not null,
  primary key (conta_id, id),
  foreign key (conta_id, contato_id) references contatos (conta_id, id) on delete cascade
);
create index consentimentos_contato on consentimentos (conta_id, contato_id, id);

do $$
declare tabela text;
begin
  foreach tabela in array array['privacidade', 'avisos_privacidade', 'consentimentos'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('alter table %I force row level security', tabela);
    execute format('create policy conta on %I using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]))', tabela);
  end loop;
end $$;
