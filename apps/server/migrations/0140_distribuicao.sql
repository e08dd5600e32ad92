-- desde: 2.0.0
-- Automatic distribution of waiting conversas, their timers, and messages that are sent later.

-- The part of the current configuration that statements and triggers read. A conta without a row has the defaults:
-- no distribution, no notice, no end by silence. `aviso_minutos` null: silence ends no conversa.
create table regras_atendimento (
  conta_id uuid primary key references contas (id) on delete cascade,
  automatica boolean not null default false,
  sem_ninguem boolean not null default false,
  aviso_minutos integer
);

-- Whether a person takes part, and when the person last got a conversa. Without a row operators take part and others do
-- not. `mudou_em`: since when.
create table atendentes (
  conta_id uuid not null references contas (id) on delete cascade,
  usuario_id uuid not null references usuarios (id) on delete cascade,
  disponivel boolean,
  mudou_em timestamptz,
  recebeu_em timestamptz,
  primary key (conta_id, usuario_id)
);

-- People with a window on a node. `saiu_em`: the last window closed. A row of a node that died counts as closed.
create table presencas (
  conta_id uuid not null references contas (id) on delete cascade,
  usuario_id uuid not null references usuarios (id) on delete cascade,
  no uuid not null,
  entrou_em timestamptz not null,
  saiu_em timestamptz,
  primary key (conta_id, usuario_id, no)
);
create index presencas_no on presencas (no) where saiu_em is null;
create index presencas_saiu on presencas (saiu_em) where saiu_em is not null;

-- Work that a change of a row causes, read within a second. `contato_id` null: the queue of the conta changed.
-- Otherwise: a message of this contato was stored, who has a scheduled message. Rows are only inserted and deleted, so
-- that concurrent turns of a conta never wait for each other.
create table sinais (
  conta_id uuid not null references contas (id) on delete cascade,
  id bigint generated always as identity,
  contato_id uuid,
  primary key (conta_id, id)
);

-- Timers of conversas. `resposta`: the assigned person has not written. `silencio`: the customer has not answered.
-- `semNinguem`: never due, marks the sent notice. `avisado_em`: when a silent customer was warned.
create table prazos (
  conta_id uuid not null,
  conversa_id uuid not null,
  tipo text not null check (tipo in ('resposta', 'silencio', 'semNinguem')),
  vence_em timestamptz not null,
  operador_id uuid,
  avisado_em timestamptz,
  primary key (conta_id, conversa_id, tipo),
  foreign key (conta_id, conversa_id) references conversas (conta_id, id) on delete cascade
);
create index prazos_vence on prazos (vence_em) where tipo <> 'semNinguem';

-- People who let a conversa go without writing. It does not return to them while they stay.
create table passagens (
  conta_id uuid not null,
  conversa_id uuid not null,
  operador_id uuid not null,
  em timestamptz not null,
  primary key (conta_id, conversa_id, operador_id),
  foreign key (conta_id, conversa_id) references conversas (conta_id, id) on delete cascade
);

create table agendadas (
  conta_id uuid not null,
  id uuid not null,
  conversa_id uuid not null,
  texto text not null,
  enviar_em timestamptz not null,
  autor_id uuid not null,
  autor text not null,
  cancelar_se_responder boolean not null,
  estado text not null check (estado in ('marcada', 'enviada', 'cancelada', 'falhou')),
  motivo text,
  criada_em timestamptz not null,
  primary key (conta_id, id),
  foreign key (conta_id, conversa_id) references conversas (conta_id, id) on delete cascade
);
create index agendadas_conversa on agendadas (conta_id, conversa_id, id);
create index agendadas_vence on agendadas (enviar_em) where estado = 'marcada';
-- A contato with a waiting scheduled message that an answer cancels.
alter table contatos add column tem_agendada boolean not null default false;

do $$
declare tabela text;
begin
  foreach tabela in array array['regras_atendimento', 'atendentes', 'presencas', 'sinais', 'prazos', 'passagens',
                                'agendadas'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('alter table %I force row level security', tabela);
    execute format('create policy conta on %I using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]))', tabela);
  end loop;
end $$;

create function sinalizar_fila() returns trigger language plpgsql as $$
begin
  insert into sinais (conta_id)
    select r.conta_id from regras_atendimento r
    where r.conta_id = new.conta_id and (r.automatica or r.sem_ninguem);
  return null;
end $$;
-- A conversa joins a queue, or a person serves one conversa less.
create trigger conversas_na_fila after insert on conversas for each row
  when (new.status = 'aguardando') execute function sinalizar_fila();
create trigger conversas_mudou_fila after update on conversas for each row
  when ((new.status = 'aguardando' and (old.status <> 'aguardando' or old.setor is distinct from new.setor))
    or (old.status = 'em_atendimento'
      and (new.status <> 'em_atendimento' or old.operador_id is distinct from new.operador_id)))
  execute function sinalizar_fila();

create function sinalizar_resposta() returns trigger language plpgsql as $$
begin
  insert into sinais (conta_id, contato_id) values (new.conta_id, new.id);
  return null;
end $$;
create trigger contatos_responderam after update on contatos for each row
  when (new.tem_agendada and new.ultimo_id is distinct from old.ultimo_id) execute function sinalizar_resposta();
