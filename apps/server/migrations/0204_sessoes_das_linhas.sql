-- desde: 2.0.0
-- A session belongs to a line: its row, keys, journal and settings have the line in their key. The version before reads
-- and writes the sessions of first lines through views with the names and columns of before.
-- `conta_id` is null in keys and arrivals that were stored before: their line is the first one, whose id is the account's.
select set_config('app.contas', '*', true);

do $$
declare
  antes text[] := array['bots', 'whatsapp_chaves', 'whatsapp_chegadas', 'oficial_contas', 'oficial_chegadas'];
  depois text[] := array['linhas_bots', 'linhas_chaves', 'linhas_chegadas', 'linhas_oficial', 'linhas_oficial_chegadas'];
  colunas text;
begin
  for n in 1 .. array_length(antes, 1) loop
    execute format('alter table %I rename to %I', antes[n], depois[n]);
    execute format('alter table %I rename column conta_id to linha_id', depois[n]);
    execute format('alter table %I drop constraint %I', depois[n], antes[n] || '_conta_id_fkey');
    execute format('alter table %I add column conta_id uuid', depois[n]);
    execute format('drop policy conta on %I', depois[n]);
    execute format(
      'create policy conta on %I using ((select app_sistema()) or coalesce(conta_id, linha_id) = any ((select app_contas())::uuid[]))',
      depois[n]);
    select string_agg(case attname when 'linha_id' then 'linha_id as conta_id' else quote_ident(attname) end, ', ' order by attnum)
      into colunas
      from pg_attribute
      where attrelid = depois[n]::regclass and attnum > 0 and not attisdropped and attname <> 'conta_id';
    execute format(
      'create view %I with (security_invoker = true) as select %s from %I where coalesce(conta_id, linha_id) = linha_id',
      antes[n], colunas, depois[n]);
    -- Here, because the version before uses them before the rights of all tables are given again.
    execute format('grant select, insert, update, delete on %I to balcao_app', antes[n]);
  end loop;
end $$;

create function conta_da_primeira_linha() returns trigger language plpgsql as $$
begin
  new.conta_id := new.linha_id;
  return new;
end $$;
create trigger linhas_bots_conta before insert on linhas_bots for each row
  when (new.conta_id is null) execute function conta_da_primeira_linha();
create trigger linhas_oficial_conta before insert on linhas_oficial for each row
  when (new.conta_id is null) execute function conta_da_primeira_linha();

update linhas_bots set conta_id = linha_id;
update linhas_oficial set conta_id = linha_id;
alter table linhas_bots
  alter column conta_id set not null,
  add foreign key (conta_id) references contas (id) on delete cascade;
alter table linhas_oficial
  alter column conta_id set not null,
  add foreign key (conta_id) references contas (id) on delete cascade;
create index linhas_bots_conta on linhas_bots (conta_id);
-- A number connects once in the installation. Digits; null: unknown. Not unique, because installations of the version
-- before may have connected one number twice.
alter table linhas_bots add column numero text;
create index linhas_bots_numero on linhas_bots (numero) where status = 'CONECTADO';
create index linhas_oficial_conta on linhas_oficial (conta_id);
alter table linhas_chaves
  add foreign key (linha_id) references linhas_bots (linha_id) on delete cascade not valid;
alter table linhas_chegadas
  add foreign key (linha_id) references linhas_bots (linha_id) on delete cascade not valid;
alter table linhas_oficial_chegadas
  add foreign key (linha_id) references linhas_oficial (linha_id) on delete cascade not valid;

-- A node of a version without lines would act on conversas of further lines as if they were of the first one.
alter table nos add column com_linhas boolean not null default false;
-- A node joins without an account, so row-level security would hide all lines from it.
-- It sees them inside. A `set` of the function would need a superuser.
create function recusar_no_sem_linhas() returns trigger language plpgsql as $$
declare
  contas text := coalesce(current_setting('app.contas', true), '');
begin
  perform set_config('app.contas', '*', true);
  if exists (select from linhas where id <> conta_id) then
    raise exception 'Este banco tem contas com várias linhas: use a versão atual do programa.';
  end if;
  perform set_config('app.contas', contas, true);
  return new;
end $$;
create trigger nos_sem_linhas before insert on nos for each row
  when (not new.com_linhas) execute function recusar_no_sem_linhas();
