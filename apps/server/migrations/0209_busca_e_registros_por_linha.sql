-- desde: 2.0.0
-- As the function with ten values, which the version before calls. `linhas` null: of all lines, otherwise as
-- `mayReadConversa`. `linha`: only of this line.
create function busca_achar(conta uuid, consulta tsquery, nomes text[], antes uuid, piso uuid, limite integer,
  setores text[], leitor uuid, so_notas boolean, raras integer, linhas uuid[], linha uuid)
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
    where b.vetor @@ consulta and v.protocolo is not null and (((setores is null or coalesce(v.setor, 'geral') = any (setores))
        and (linhas is null or coalesce(v.linha_id, v.conta_id) = any (linhas)))
      or (v.status = 'em_atendimento' and v.operador_id = leitor))
      and (linha is null or coalesce(v.linha_id, v.conta_id) = linha)
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
    where v.protocolo is not null and (((setores is null or coalesce(v.setor, 'geral') = any (setores))
        and (linhas is null or coalesce(v.linha_id, v.conta_id) = any (linhas)))
      or (v.status = 'em_atendimento' and v.operador_id = leitor))
      and (linha is null or coalesce(v.linha_id, v.conta_id) = linha)
      and (nomes is null or (select c.busca ~ all (nomes) from contatos c where c.conta_id = conta and c.id = v.contato_id))
    order by b.id desc limit limite - lidas;
end $$;
revoke all on function busca_achar(uuid, tsquery, text[], uuid, uuid, integer, text[], uuid, boolean, integer, uuid[], uuid)
  from public;
grant execute on function busca_achar(uuid, tsquery, text[], uuid, uuid, integer, text[], uuid, boolean, integer, uuid[], uuid)
  to balcao_app;

-- Null: of no line alone, or written by the version before.
alter table logs add column linha_id uuid;
