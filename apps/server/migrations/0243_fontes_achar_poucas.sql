-- desde: 2.0.0
-- As before, but a word that most pieces have is not compared in all of them. Pieces with the only word of a question
-- rank equally, so a few are enough. Otherwise the rarest words choose at most about 1,500 pieces.
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
      where t.vetor @@ raras::tsquery limit case when cardinality(palavras) = 1 then 400 else 1500 end
    )
    select a.fonte_id, a.ordem, s.exato, s.amplo from achados a cross join lateral (
      select sum(p.exato) as exato, sum(p.amplo) as amplo from palavras_buscadas p where a.vetor @@ p.consulta
    ) s
    where a.conta_id = conta order by s.exato + s.amplo desc, a.fonte_id, a.ordem limit limite;
end $$;
