-- desde: 2.0.0
-- Customers of the conta whose name, phone or user name matches at least one pattern, with the bits of the matched
-- patterns. Runs as the owner of the tables, because under row-level security no index serves `like`.
create function busca_nomes(conta uuid, padroes text[], bits integer[]) returns table (contato_id uuid, mask integer)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off as $$
begin
  if not (app_sistema() or conta = any (app_contas())) then return; end if;
  return query
    select c.id, bit_or(p.bit) from unnest(padroes, bits) as p (padrao, bit)
    cross join lateral (select o.id from contatos o where o.conta_id = conta and o.busca like p.padrao offset 0) c
    group by c.id;
end $$;
revoke all on function busca_nomes(uuid, text[], integer[]) from public;
grant execute on function busca_nomes(uuid, text[], integer[]) to balcao_app;
