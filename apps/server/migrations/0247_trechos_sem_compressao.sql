-- desde: 2.0.0
-- A search compares the roots of up to 1,500 pieces, and unpacking each took longer than comparing it. New pieces are
-- stored as they are, up to 4,080 bytes; those of before are unpacked once for all words of the question.
alter table fontes_trechos set (toast_tuple_target = 4080);
create or replace function fontes_achar(conta uuid, raras text, palavras text[], exatos float8[], amplos float8[], limite integer)
returns table (fonte_id uuid, ordem integer, exato float8, amplo float8)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off as $$
begin
  if not (app_sistema() or conta = any (app_contas())) then return; end if;
  return query
    with palavras_buscadas as materialized (
      select p.palavra::tsquery as consulta, p.exato, p.amplo from unnest(palavras, exatos, amplos) as p (palavra, exato, amplo)
    )
    select a.fonte_id, a.ordem, s.exato, s.amplo from (
      select t.conta_id, t.fonte_id, t.ordem,
        case when pg_column_compression(t.vetor) is null then t.vetor else t.vetor || ''::tsvector end as vetor
      from fontes_trechos t
      where t.vetor @@ raras::tsquery limit case when cardinality(palavras) = 1 then 400 else 1500 end
    ) a cross join lateral (
      select sum(p.exato) as exato, sum(p.amplo) as amplo from palavras_buscadas p where a.vetor @@ p.consulta
    ) s
    where a.conta_id = conta order by s.exato + s.amplo desc, a.fonte_id, a.ordem limit limite;
end $$;
