-- desde: 2.0.0
-- Functions that run with the rights of their owner. Temporary tables come last in their path, so that no caller can put
-- one in the place of a table, and only the working role may call them.
do $$
declare funcao regprocedure;
begin
  for funcao in select p.oid from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef loop
    execute format('alter function %s set search_path = pg_catalog, public, pg_temp', funcao);
    execute format('revoke all on function %s from public', funcao);
    execute format('grant execute on function %s to balcao_app', funcao);
  end loop;
end $$;
