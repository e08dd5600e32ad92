-- desde: 2.0.0
-- Whose turn it is: the customer's first message after the last one of a person. Null: a person wrote last, or the bot serves.
alter table conversas add column sem_resposta_desde timestamptz;

-- The position of a person in a conversa, with the marks that this person alone sees.
create table leituras (
  conta_id uuid not null references contas (id) on delete cascade,
  usuario_id uuid not null references usuarios (id) on delete cascade,
  conversa_id uuid not null,
  -- last message that was read; null: none was, and the counter of the conversa holds
  ate uuid,
  -- marked as unread by hand
  marcada boolean not null default false,
  fixada boolean not null default false,
  -- hidden from the views of the person until then, or until a message of the customer after lembrar_apos
  lembrar_em timestamptz,
  lembrar_apos uuid,
  primary key (conta_id, usuario_id, conversa_id),
  foreign key (conta_id, conversa_id) references conversas (conta_id, id) on delete cascade
);
create index leituras_usuario on leituras (usuario_id);
create index leituras_conversa on leituras (conta_id, conversa_id);
create index leituras_fixadas on leituras (conta_id, usuario_id) where fixada;
create index leituras_escondidas on leituras (conta_id) where lembrar_em is not null;
create index leituras_lembrar on leituras (lembrar_em) where lembrar_em is not null;

-- Notices that wait for a person until they are read, at most 30 days.
create table avisos (
  conta_id uuid not null references contas (id) on delete cascade,
  usuario_id uuid not null references usuarios (id) on delete cascade,
  id uuid not null,
  tipo text not null check (tipo in ('mencao', 'lembrete', 'agendadaFalhou', 'importacao', 'botDesconectado', 'limite', 'transferida')),
  texto text not null,
  conversa_id uuid,
  criado_em timestamptz not null,
  lido_em timestamptz,
  primary key (conta_id, usuario_id, id),
  foreign key (conta_id, conversa_id) references conversas (conta_id, id) on delete cascade
);
create index avisos_usuario on avisos (usuario_id);
create index avisos_conversa on avisos (conta_id, conversa_id) where conversa_id is not null;
create index avisos_abertos on avisos (conta_id, usuario_id, tipo, conversa_id) where lido_em is null;
create index avisos_antigos on avisos (conta_id, id);

do $$
declare tabela text;
begin
  foreach tabela in array array['leituras', 'avisos'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('alter table %I force row level security', tabela);
    execute format('create policy conta on %I using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]))', tabela);
  end loop;
end $$;
