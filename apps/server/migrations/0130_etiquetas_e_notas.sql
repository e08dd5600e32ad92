-- desde: 2.0.0
-- Tags of contatos. `chave`: the folded name, which is unique.
create table etiquetas (
  conta_id uuid not null references contas (id) on delete cascade,
  id uuid not null,
  nome text not null,
  chave text not null,
  cor text not null,
  criada_em timestamptz not null default now(),
  primary key (conta_id, id)
);
create unique index etiquetas_chave on etiquetas (conta_id, chave);

create table contatos_etiquetas (
  conta_id uuid not null,
  etiqueta_id uuid not null,
  contato_id uuid not null,
  primary key (conta_id, etiqueta_id, contato_id),
  foreign key (conta_id, etiqueta_id) references etiquetas (conta_id, id) on delete cascade,
  foreign key (conta_id, contato_id) references contatos (conta_id, id) on delete cascade
);
create index contatos_etiquetas_contato on contatos_etiquetas (conta_id, contato_id);

-- Notes of people about a conversa. No connector reads this table.
create table notas (
  conta_id uuid not null,
  -- time-ordered (UUIDv7), as the ids of mensagens: both lists merge by id
  id uuid not null,
  conversa_id uuid not null,
  texto text not null,
  autor_id uuid not null,
  autor text not null,
  mencoes uuid[] not null default '{}',
  criada_em timestamptz not null,
  primary key (conta_id, id),
  foreign key (conta_id, conversa_id) references conversas (conta_id, id) on delete cascade
);
create index notas_conversa on notas (conta_id, conversa_id, id);

do $$
declare tabela text;
begin
  foreach tabela in array array['etiquetas', 'contatos_etiquetas', 'notas'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('alter table %I force row level security', tabela);
    execute format('create policy conta on %I using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]))', tabela);
  end loop;
end $$;
