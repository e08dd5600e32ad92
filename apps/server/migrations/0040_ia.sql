-- The assistant: what each answer was made of, and what the account's questions cost.

-- The message that began a question: a later fragment replaces the question and keeps its beginning.
alter table perguntas_ia add column desde_id uuid;

-- Sent and received, for 'Por que respondeu isto?'. It goes with its message.
create table respostas_ia (
  conta_id uuid not null,
  mensagem_id uuid not null,
  dados jsonb not null,
  criada_em timestamptz not null,
  primary key (conta_id, mensagem_id),
  foreign key (conta_id, mensagem_id) references mensagens (conta_id, id) on delete cascade
);

-- Per account and local day, like uso_diario.
create table uso_ia (
  conta_id uuid not null references contas (id) on delete cascade,
  dia date not null,
  perguntas integer not null default 0,
  falhas integer not null default 0,
  tokens_entrada bigint not null default 0,
  tokens_saida bigint not null default 0,
  primary key (conta_id, dia)
) with (fillfactor = 50);

do $$
declare tabela text;
begin
  foreach tabela in array array['respostas_ia', 'uso_ia'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('alter table %I force row level security', tabela);
    execute format('create policy conta on %I using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]))', tabela);
  end loop;
end $$;
