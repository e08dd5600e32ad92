-- desde: 2.0.0
-- Words of the messages for the search. A periodic task fills the table, so that messages cost no more to store. It can
-- be built again at any time, so copies of the database leave it out.
create table busca_mensagens (
  conta_id uuid not null,
  mensagem_id uuid not null,
  conversa_id uuid not null,
  -- folded words, each behind the last six digits of conta_id: the words of other contas are not read
  vetor tsvector not null,
  primary key (conta_id, mensagem_id),
  -- erasure and retention delete the words with the message
  foreign key (conta_id, mensagem_id) references mensagens (conta_id, id) on delete cascade
);
-- Only the task writes, so it does not need the list of pending entries, which each search would read.
create index busca_mensagens_vetor on busca_mensagens using gin (vetor) with (fastupdate = off);

-- Progress of the task. No row: not begun.
create table busca_contas (
  conta_id uuid primary key references contas (id) on delete cascade,
  -- all messages up to this id are in the table, except those below `desde`
  ate uuid not null,
  -- older messages down to this id are in the table; null once all are
  desde uuid,
  completa_em timestamptz
);

do $$
declare tabela text;
begin
  foreach tabela in array array['busca_mensagens', 'busca_contas'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('alter table %I force row level security', tabela);
    execute format('create policy conta on %I using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]))', tabela);
  end loop;
end $$;
-- `@@` is not leakproof: under a policy PostgreSQL does not use the index for it. `busca_ids` runs as the owner and
-- checks the conta itself.
create policy dono on busca_mensagens to current_user using (true);

-- A message whose text was edited is read again. A message moves when two contatos are joined.
create function busca_mudou() returns trigger language plpgsql as $$
begin
  if new.conversa_id <> old.conversa_id then
    update busca_mensagens set conversa_id = new.conversa_id where conta_id = new.conta_id and mensagem_id = new.id;
  else
    delete from busca_mensagens where conta_id = new.conta_id and mensagem_id = new.id;
  end if;
  return null;
end $$;
create trigger mensagens_busca after update of conversa_id, extras on mensagens for each row
  when (new.conversa_id <> old.conversa_id or old.extras ->> 'edicao' is distinct from new.extras ->> 'edicao')
  execute function busca_mudou();

-- The newest messages before `antes` with all words, of conversas with people. `setores` null: of all setores, otherwise
-- as `mayReadConversa`. First it reads the newest rows: a frequent word fills the page there. Others are rare enough for
-- the index.
create function busca_ids(conta uuid, consulta tsquery, antes uuid, limite integer, setores text[], leitor uuid)
returns setof uuid
language plpgsql stable security definer set search_path = public set enable_seqscan = off as $$
declare
  fim uuid;
  lidas integer;
begin
  if not (app_sistema() or conta = any (app_contas())) then return; end if;
  return query
    select b.mensagem_id from (
      select * from busca_mensagens n where n.conta_id = conta and n.mensagem_id < antes
      order by n.mensagem_id desc limit 3000 offset 0
    ) b join conversas v on v.conta_id = conta and v.id = b.conversa_id
    where b.vetor @@ consulta and v.protocolo is not null and (setores is null
      or coalesce(v.setor, 'geral') = any (setores) or (v.status = 'em_atendimento' and v.operador_id = leitor))
    order by b.mensagem_id desc limit limite;
  get diagnostics lidas = row_count;
  if lidas >= limite then return; end if;
  select n.mensagem_id into fim from busca_mensagens n where n.conta_id = conta and n.mensagem_id < antes
    order by n.mensagem_id desc offset 2999 limit 1;
  if fim is null then return; end if;
  return query
    with achadas as materialized (
      select n.conta_id, n.mensagem_id, n.conversa_id from busca_mensagens n where n.vetor @@ consulta
    )
    select b.mensagem_id from achadas b join conversas v on v.conta_id = conta and v.id = b.conversa_id
    where b.conta_id = conta and b.mensagem_id < fim and v.protocolo is not null and (setores is null
      or coalesce(v.setor, 'geral') = any (setores) or (v.status = 'em_atendimento' and v.operador_id = leitor))
    order by b.mensagem_id desc limit limite - lidas;
end $$;
