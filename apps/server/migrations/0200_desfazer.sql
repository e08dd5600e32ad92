-- desde: 2.0.0
-- Farewells that leave some seconds after the end of their conversa, once.
create table despedidas (
  conta_id uuid not null references contas (id) on delete cascade,
  conversa_id uuid not null,
  sair_em timestamptz not null,
  sem_avaliacao boolean not null,
  primary key (conta_id, conversa_id),
  foreign key (conta_id, conversa_id) references conversas (conta_id, id) on delete cascade
);
create index despedidas_sair on despedidas (sair_em);

-- The last act of a person or of the server on each conversa, with the columns that an undo restores.
create table atos_desfaziveis (
  conta_id uuid not null references contas (id) on delete cascade,
  conversa_id uuid not null,
  -- null: the server acted
  usuario_id uuid references usuarios (id) on delete set null,
  -- 'outro' cannot be undone; 'finalizar' can while its row in despedidas exists
  ato text not null check (ato in ('assumir', 'transferir', 'soltar', 'finalizar', 'encerrar', 'outro')),
  em timestamptz not null,
  -- last message of the contato at the act
  ultima_mensagem uuid,
  antes jsonb not null,
  depois jsonb not null,
  primary key (conta_id, conversa_id),
  foreign key (conta_id, conversa_id) references conversas (conta_id, id) on delete cascade
);
create index atos_desfaziveis_usuario on atos_desfaziveis (usuario_id) where usuario_id is not null;
create index atos_desfaziveis_antigos on atos_desfaziveis (conta_id, em);

do $$
declare tabela text;
begin
  foreach tabela in array array['despedidas', 'atos_desfaziveis'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('alter table %I force row level security', tabela);
    execute format('create policy conta on %I using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]))', tabela);
  end loop;
end $$;
