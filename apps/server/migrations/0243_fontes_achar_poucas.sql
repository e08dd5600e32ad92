-- desde: 2.0.0
-- As before, but a word that most pieces have compares at most 600 of them. The words of a rarer subject choose the
-- pieces when there are any, so the pieces of such a word differ little.
create or replace function fontes_achar(conta uuid, raras text, palavras text[], exatos float8[], amplos float8[], limite integer)
returns table (fonte_id uuid, ordem integer, exato float8, amplo float8)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off as $$
begin
  if not (app_sistema() or conta = any (app_contas())) then return; end if;
  return query
    with palavras_buscadas as materialized (
      select p.palavra::tsquery as consulta, p.exato, p.amplo from unnest(palavras, exatos, amplos) as p (palavra, exato, amplo)
    ), achados as materialized (
      select t.conta_id, t.fonte_id, t.ordem, t.vetor || ''::tsvector as vetor from fontes_trechos t
      where t.vetor @@ raras::tsquery limit 600
    )
    select a.fonte_id, a.ordem, s.exato, s.amplo from achados a cross join lateral (
      select sum(p.exato) as exato, sum(p.amplo) as amplo from palavras_buscadas p where a.vetor @@ p.consulta
    ) s
    where a.conta_id = conta order by s.exato + s.amplo desc, a.fonte_id, a.ordem limit limite;
end $$;
