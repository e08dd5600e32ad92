-- desde: 2.0.0
-- Voice notes whose transcript was not stored yet. The transcript is part of `mensagens.extras`.
create table transcricoes (
  conta_id uuid not null references contas (id) on delete cascade,
  mensagem_id uuid not null,
  -- begun attempts: the third one is the last
  tentativas integer not null default 0,
  -- of a running attempt the end of its lease
  proxima_em timestamptz not null,
  criada_em timestamptz not null,
  primary key (conta_id, mensagem_id),
  foreign key (conta_id, mensagem_id) references mensagens (conta_id, id) on delete cascade
);
create index transcricoes_proxima on transcricoes (proxima_em);

alter table transcricoes enable row level security;
alter table transcricoes force row level security;
create policy conta on transcricoes using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]));

-- As before, and with the transcript of a voice note.
create or replace view busca_fontes with (security_invoker = true) as
select conta_id, id, 'mensagem' as tipo, conversa_id, origem, criada_em,
  case when extras #>> '{transcricao,texto}' is null then coalesce(extras ->> 'edicao', texto)
    else btrim(concat_ws(' ', coalesce(extras ->> 'edicao', texto), extras #>> '{transcricao,texto}')) end as texto,
  case when extras ->> 'edicao' is null and extras #>> '{transcricao,texto}' is null then texto
    else concat_ws(' ', extras ->> 'edicao', texto, extras #>> '{transcricao,texto}') end as palavras
from mensagens
union all select conta_id, id, 'nota', conversa_id, 'nota', criada_em, texto, texto from notas
union all select conta_id, id, 'contato', null, '', criado_em, nome, concat_ws(' ', nome, nome_usuario) from contatos;

-- A transcript that arrives after the task read its message is found immediately.
create function busca_transcrita() returns trigger language plpgsql as $$
begin
  update busca_mensagens
    set vetor = busca_vetor(new.conta_id, concat_ws(' ', new.extras ->> 'edicao', new.texto, new.extras #>> '{transcricao,texto}'))
    where conta_id = new.conta_id and mensagem_id = new.id;
  return null;
end $$;
create trigger mensagens_transcrita after update of extras on mensagens for each row
  when (old.extras #>> '{transcricao,texto}' is distinct from new.extras #>> '{transcricao,texto}')
  execute function busca_transcrita();
