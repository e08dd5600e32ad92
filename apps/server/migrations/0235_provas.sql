-- desde: 2.0.0
-- Questions with which a shop examines its assistant. A result holds for one draft of the settings.
create table provas (
  conta_id uuid not null references contas (id) on delete cascade,
  id uuid not null,
  -- of a generated question, so that it is not generated twice
  chave text,
  pergunta text not null,
  contem jsonb not null,
  nao_contem jsonb not null,
  -- null: both are right
  transfere boolean,
  origem text not null check (origem in ('gerada', 'conversa', 'propria')),
  obrigatoria boolean not null,
  -- a person changed a generated question
  editada boolean not null default false,
  resultado jsonb,
  resultado_em timestamptz,
  -- hash of the draft to which the result belongs
  rascunho text,
  -- the exam that asks the question now, and since when
  exame uuid,
  perguntada_em timestamptz,
  primary key (conta_id, id)
);
create unique index provas_chave on provas (conta_id, chave) where chave is not null;

alter table provas enable row level security;
alter table provas force row level security;
create policy conta on provas using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]));
