-- desde: 2.0.0
-- The owner of the tables may read the trail, also where row-level security is forced for it. The working role may not.
create policy dono on auditoria for select to current_user using (true);

-- True if the acts of the conta since the id leave no room for another one of this person. Operadores have less room, so
-- that they cannot keep the dono from acting. Acts in `livres` and refusals are not counted.
create function auditoria_cheia(conta uuid, quem uuid, desde uuid, livres text[], de_operador integer, de_dono integer)
returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select count(*) >= case when exists (select from usuarios u where u.id = quem and u.tipo = 'operador')
    then de_operador else de_dono end
  from (
    select from auditoria a where a.conta_id = conta and a.id >= desde and a.resultado = 'feito' and a.acao <> all (livres)
    limit de_dono
  ) atos
$$;
revoke all on function auditoria_cheia from public;
grant execute on function auditoria_cheia to balcao_app;
