-- desde: 2.0.0
-- The search stands on `unaccent` and `pg_trgm`. The start creates both, and `btree_gin`, before the migrations.

-- The words of a text in lower case without accents, with one space between them. Letters of scripts that the locale of
-- the database may not know count as letters. A longer text counts with its beginning.
create function busca_dobrar(texto text) returns text language sql stable parallel safe
return btrim(regexp_replace(regexp_replace(lower(unaccent(left(texto, 4096))),
  '[^[:alnum:]\u0300-\u1fff\u3040-\ud7ff]+', ' ', 'g'), '([^ ]{40})[^ ]+', '\1', 'g'));

-- The distinct words for an index, without the plural `s` of four letters and more. Each stands behind the last six digits
-- of the conta, so that a search reads no words of other contas.
create function busca_vetor(conta uuid, texto text) returns tsvector language sql stable parallel safe
return coalesce(array_to_tsvector(string_to_array(right(conta::text, 6) || replace(
  regexp_replace(nullif(busca_dobrar(texto), ''), '\m([a-z]{3,})s\M', '\1', 'g'), ' ', ' ' || right(conta::text, 6)), ' ')), '');

-- The texts whose words the task reads. `palavras`: with the text before an edit.
create view busca_fontes with (security_invoker = true) as
select conta_id, id, 'mensagem' as tipo, conversa_id, origem, criada_em, coalesce(extras ->> 'edicao', texto) as texto,
  case when extras ->> 'edicao' is null then texto else concat_ws(' ', extras ->> 'edicao', texto) end as palavras
from mensagens
union all select conta_id, id, 'nota', conversa_id, 'nota', criada_em, texto, texto from notas
union all select conta_id, id, 'contato', null, '', criado_em, nome, concat_ws(' ', nome, nome_usuario) from contatos;

-- The words that the task has read. A nota keeps its conversa.
create view busca_textos with (security_invoker = true) as
select conta_id, mensagem_id as id, 'mensagem' as tipo, conversa_id, vetor from busca_mensagens
union all select conta_id, nota_id, 'nota', null, vetor from busca_notas;

-- The newest messages and notas between `piso` and `antes` with the words, or only the notas, of conversas with people and
-- of customers whose folded names match all patterns `nomes`. `setores` null: of all setores, otherwise as `mayReadConversa`. First it reads
-- the newest rows: a frequent word fills the page there. Others are rare enough for the index. If more than `raras` of
-- the newest rows have the words, it returns null instead. `@@` is not leakproof, so under a policy PostgreSQL uses no index
-- for it: the function runs as the owner and checks the conta itself.
create function busca_achar(conta uuid, consulta tsquery, nomes text[], antes uuid, piso uuid, limite integer,
  setores text[], leitor uuid, so_notas boolean, raras integer)
returns setof uuid
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off
set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  fim uuid;
  lidas integer;
begin
  if not (app_sistema() or conta = any (app_contas())) then return; end if;
  if raras < (select count(*) from (
    select * from busca_mensagens n where n.conta_id = conta and n.mensagem_id < antes
    order by n.mensagem_id desc limit 3000 offset 0
  ) b where b.vetor @@ consulta) then
    return next null;
    return;
  end if;
  return query
    select b.id from (
      select * from busca_textos t where t.conta_id = conta and t.id < antes and t.id > piso
        and (t.tipo = 'nota' or not so_notas)
      order by t.id desc limit 3000 offset 0
    ) b join conversas v on v.conta_id = conta
      and v.id = coalesce(b.conversa_id, (select n.conversa_id from notas n where n.conta_id = conta and n.id = b.id))
    where b.vetor @@ consulta and v.protocolo is not null and (setores is null
      or coalesce(v.setor, 'geral') = any (setores) or (v.status = 'em_atendimento' and v.operador_id = leitor))
      and (nomes is null or (select c.busca ~ all (nomes) from contatos c where c.conta_id = conta and c.id = v.contato_id))
    order by b.id desc limit limite;
  get diagnostics lidas = row_count;
  select t.id into fim from busca_textos t where t.conta_id = conta and t.id < antes and t.id > piso
    and (t.tipo = 'nota' or not so_notas) order by t.id desc offset 2999 limit 1;
  if lidas >= limite or fim is null then return; end if;
  return query
    with achadas as materialized (
      select t.conta_id, t.id, t.conversa_id from busca_textos t
      where t.vetor @@ consulta and (t.tipo = 'nota' or not so_notas)
    )
    select b.id from (
      select * from achadas a where a.conta_id = conta and a.id < fim and a.id > piso order by a.id desc offset 0
    ) b join conversas v on v.conta_id = conta
      and v.id = coalesce(b.conversa_id, (select n.conversa_id from notas n where n.conta_id = conta and n.id = b.id))
    where v.protocolo is not null and (setores is null
      or coalesce(v.setor, 'geral') = any (setores) or (v.status = 'em_atendimento' and v.operador_id = leitor))
      and (nomes is null or (select c.busca ~ all (nomes) from contatos c where c.conta_id = conta and c.id = v.contato_id))
    order by b.id desc limit limite - lidas;
end $$;

-- The words of the vocabulary that are most similar to a word, whose length differs by `erros` at most. `%` is not
-- leakproof either.
create function busca_semelhantes(conta uuid, procurada text, erros integer)
returns table (palavra text, vezes integer)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off
set pg_trgm.similarity_threshold = 0.1 as $$
begin
  if not (app_sistema() or conta = any (app_contas())) then return; end if;
  return query
    select p.palavra, p.vezes from busca_palavras p where p.conta_id = conta and p.palavra % procurada
      and length(p.palavra) between length(procurada) - erros and length(procurada) + erros
    order by similarity(p.palavra, procurada) desc, p.vezes desc, p.palavra limit 300;
end $$;
revoke all on function busca_achar, busca_semelhantes from public;
grant execute on function busca_achar, busca_semelhantes to balcao_app;

-- `pg_trgm` knows the trigrams. The version before finds the words of this one without typing errors only.
alter table busca_palavras alter column trios set default '{}';
