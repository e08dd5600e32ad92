-- Customers, their conversations and every message. The hot path writes here: few indexes, each with its reason.

-- A contact carries the bot's state of mind about one customer. One row lock serialises the customer.
-- Room is left in each page so that the state is rewritten without touching an index.
create table contatos (
  conta_id uuid not null references contas (id) on delete cascade,
  id uuid not null,
  nome text not null default '',
  telefone text not null default '',
  -- what the engine remembers (packages/engine/src/state.ts); null is a first message
  estado jsonb,
  -- the open conversation, or the last one
  conversa_id uuid,
  -- where the last message came from: replies go there
  endereco text not null,
  ultima_atividade timestamptz not null default now(),
  ultimo_texto text not null default '',
  ultima_direcao text not null default 'entrada',
  criado_em timestamptz not null default now(),
  primary key (conta_id, id)
) with (fillfactor = 60);

-- Addresses of a contact in canonical form: 'tel:5511987654321', 'lid:123…'. A Brazilian mobile has one form, with the ninth digit.
create table enderecos (
  conta_id uuid not null,
  endereco text not null,
  contato_id uuid not null,
  primary key (conta_id, endereco),
  foreign key (conta_id, contato_id) references contatos (conta_id, id) on delete cascade
);
create index enderecos_contato on enderecos (conta_id, contato_id);

create table conversas (
  conta_id uuid not null,
  id uuid not null,
  contato_id uuid not null,
  status text not null check (status in ('bot', 'aguardando', 'em_atendimento', 'finalizada')),
  setor text,
  protocolo text,
  operador_id uuid,
  operador text,
  teste boolean not null default false,
  nao_lidas integer not null default 0,
  iniciada_em timestamptz not null default now(),
  aguardando_desde timestamptz,
  assumida_em timestamptz,
  primeira_resposta_em timestamptz,
  finalizada_em timestamptz,
  motivo_fim text,
  primary key (conta_id, id),
  foreign key (conta_id, contato_id) references contatos (conta_id, id) on delete cascade
) with (fillfactor = 80);
-- one open conversation per contact; also lists the open ones
create unique index conversas_aberta on conversas (conta_id, contato_id) where status <> 'finalizada';
create index conversas_lista on conversas (conta_id, status, aguardando_desde, id);
create index conversas_contato on conversas (conta_id, contato_id, id);

create table mensagens (
  conta_id uuid not null,
  -- time-ordered (UUIDv7): the order of a conversation is the order of its ids
  id uuid not null,
  conversa_id uuid not null,
  direcao text not null check (direcao in ('entrada', 'saida')),
  origem text not null check (origem in ('cliente', 'bot', 'ia', 'operador', 'telefone')),
  texto text not null,
  midia jsonb,
  canal text not null,
  id_externo text,
  -- the final state; while a row of `saida` exists the message is 'pendente' whatever stands here
  estado text not null,
  erro text,
  operador_id uuid,
  operador text,
  id_temporario text,
  simulada boolean not null default false,
  criada_em timestamptz not null,
  primary key (conta_id, id),
  foreign key (conta_id, conversa_id) references conversas (conta_id, id) on delete cascade
) with (fillfactor = 90);
-- an inbound message exists once, whatever the service repeats
create unique index mensagens_entrada on mensagens (conta_id, canal, id_externo) where direcao = 'entrada';
create index mensagens_conversa on mensagens (conta_id, conversa_id, id);
create unique index mensagens_temporario on mensagens (conta_id, conversa_id, id_temporario) where id_temporario is not null;

-- What still has to leave. A row goes away when the service took the message.
create table saida (
  conta_id uuid not null,
  mensagem_id uuid not null,
  contato_id uuid not null,
  endereco text not null,
  conteudo jsonb not null,
  -- chosen before the first attempt and never changed
  id_externo text not null,
  tentativas integer not null default 0,
  proxima_em timestamptz not null default now(),
  ultimo_erro text,
  primary key (conta_id, mensagem_id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

-- A question to the AI that waits for silence or for its answer.
create table perguntas_ia (
  conta_id uuid not null,
  id uuid not null,
  contato_id uuid not null,
  perguntar_em timestamptz not null,
  criada_em timestamptz not null default now(),
  primary key (conta_id, id)
);

create table avaliacoes (
  conta_id uuid not null,
  id uuid not null,
  conversa_id uuid not null,
  contato_id uuid not null,
  nota smallint not null check (nota between 0 and 5),
  setor text,
  operador_id uuid,
  criada_em timestamptz not null default now(),
  primary key (conta_id, id),
  foreign key (conta_id, conversa_id) references conversas (conta_id, id) on delete cascade
);
create index avaliacoes_data on avaliacoes (conta_id, criada_em desc);

-- Messages that left, per account and local day. `usadas` is what the limit looks at; `total` survives a reset.
create table uso_diario (
  conta_id uuid not null references contas (id) on delete cascade,
  dia date not null,
  usadas integer not null default 0,
  total integer not null default 0,
  recebidas integer not null default 0,
  primary key (conta_id, dia)
) with (fillfactor = 50);

create table protocolos (
  conta_id uuid not null references contas (id) on delete cascade,
  dia date not null,
  ultimo integer not null,
  primary key (conta_id, dia)
);

create table logs (
  conta_id uuid not null references contas (id) on delete cascade,
  id uuid not null,
  tipo text not null check (tipo in ('info', 'error', 'success', 'warning', 'bot', 'user')),
  mensagem text not null,
  detalhes jsonb,
  timestamp timestamptz not null,
  primary key (conta_id, id)
);

do $$
declare tabela text;
begin
  foreach tabela in array array['contatos', 'enderecos', 'conversas', 'mensagens', 'saida', 'perguntas_ia',
                                'avaliacoes', 'uso_diario', 'protocolos', 'logs'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('alter table %I force row level security', tabela);
    execute format('create policy conta on %I using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]))', tabela);
  end loop;
end $$;
