-- desde: 2.0.0
-- Distinct words of messages, names and notas of each conta. A search corrects typing errors with them. The task that
-- fills `busca_mensagens` fills the table, and copies of the database leave it out.
create table busca_palavras (
  conta_id uuid not null references contas (id) on delete cascade,
  palavra text collate "C" not null,
  -- messages with the word, counted up to 10 in each check of all messages
  vezes integer not null default 0,
  -- the last check that read the word; words of earlier ones are deleted at its end
  rodada integer not null,
  -- trigrams of the word, each behind the last six digits of conta_id
  trios text[] not null,
  primary key (conta_id, palavra)
) with (fillfactor = 80);
create index busca_palavras_trios on busca_palavras using gin (trios) with (fastupdate = off);
alter table busca_palavras enable row level security;
alter table busca_palavras force row level security;
create policy conta on busca_palavras using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]));
create policy dono on busca_palavras to current_user using (true);

-- `rodada` 0: no check since the vocabulary exists, so the task begins one.
alter table busca_contas
  add column rodada integer not null default 0,
  -- rows in busca_palavras
  add column palavras integer not null default 0;

-- Words of a conta that share at least `minimo` of the trigrams, those that share most first. `&&` is not leakproof, as
-- `@@` in `busca_ids`.
create function busca_parecidas(conta uuid, procurados text[], menor integer, maior integer, minimo integer)
returns table (palavra text, vezes integer)
language plpgsql stable security definer set search_path = public set enable_seqscan = off as $$
begin
  if not (app_sistema() or conta = any (app_contas())) then return; end if;
  return query
    select p.palavra, p.vezes from busca_palavras p cross join lateral (
      select count(*) as comuns from unnest(p.trios) t where t = any (procurados)
    ) c
    where p.trios && procurados and p.conta_id = conta and length(p.palavra) between menor and maior
      and c.comuns >= minimo
    order by c.comuns desc, p.vezes desc, p.palavra limit 300;
end $$;

-- As before, with two more conditions: ids above `piso`, and customers whose folded name matches the patterns `nomes`, all
-- of them. Found words are read from the newest message on, until the page is full.
drop function busca_ids(uuid, tsquery, uuid, integer, text[], uuid);
create function busca_ids(conta uuid, consulta tsquery, antes uuid, limite integer, setores text[], leitor uuid,
  piso uuid default '00000000-0000-0000-0000-000000000000', nomes text[] default null)
returns setof uuid
language plpgsql stable security definer set search_path = public set enable_seqscan = off set enable_hashjoin = off
set enable_mergejoin = off as $$
declare
  fim uuid;
  lidas integer;
begin
  if not (app_sistema() or conta = any (app_contas())) then return; end if;
  return query
    select b.mensagem_id from (
      select * from busca_mensagens n where n.conta_id = conta and n.mensagem_id < antes and n.mensagem_id > piso
      order by n.mensagem_id desc limit 3000 offset 0
    ) b join conversas v on v.conta_id = conta and v.id = b.conversa_id
    where b.vetor @@ consulta and v.protocolo is not null and (setores is null
      or coalesce(v.setor, 'geral') = any (setores) or (v.status = 'em_atendimento' and v.operador_id = leitor))
      and (nomes is null or (select c.busca ~ all (nomes) from contatos c where c.conta_id = conta and c.id = v.contato_id))
    order by b.mensagem_id desc limit limite;
  get diagnostics lidas = row_count;
  if lidas >= limite then return; end if;
  select n.mensagem_id into fim from busca_mensagens n where n.conta_id = conta and n.mensagem_id < antes
    and n.mensagem_id > piso order by n.mensagem_id desc offset 2999 limit 1;
  if fim is null then return; end if;
  return query
    with achadas as materialized (
      select n.conta_id, n.mensagem_id, n.conversa_id from busca_mensagens n where n.vetor @@ consulta
    )
    select b.mensagem_id from (
      select * from achadas a where a.conta_id = conta and a.mensagem_id < fim and a.mensagem_id > piso
      order by a.mensagem_id desc offset 0
    ) b join conversas v on v.conta_id = conta and v.id = b.conversa_id
    where v.protocolo is not null and (setores is null
      or coalesce(v.setor, 'geral') = any (setores) or (v.status = 'em_atendimento' and v.operador_id = leitor))
      and (nomes is null or (select c.busca ~ all (nomes) from contatos c where c.conta_id = conta and c.id = v.contato_id))
    order by b.mensagem_id desc limit limite - lidas;
end $$;
