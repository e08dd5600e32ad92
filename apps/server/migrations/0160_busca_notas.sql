-- desde: 2.0.0
-- Words of the notas, as `busca_mensagens` has those of the messages. Copies of the database leave the table out.
create table busca_notas (
  conta_id uuid not null,
  nota_id uuid not null,
  -- folded words, each behind the last six digits of conta_id
  vetor tsvector not null,
  primary key (conta_id, nota_id),
  foreign key (conta_id, nota_id) references notas (conta_id, id) on delete cascade
);
create index busca_notas_vetor on busca_notas using gin (vetor) with (fastupdate = off);
alter table busca_notas enable row level security;
alter table busca_notas force row level security;
create policy conta on busca_notas using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]));
create policy dono on busca_notas to current_user using (true);

-- The first check of all texts that stores the words of notas. Null: none began, so the task begins one.
alter table busca_contas add column notas_rodada integer;

-- The newest notas before `antes` with all words, by the rules of `busca_ids`.
create function busca_notas_ids(conta uuid, consulta tsquery, antes uuid, limite integer, setores text[], leitor uuid,
  nomes text[])
returns setof uuid
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off
set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if not (app_sistema() or conta = any (app_contas())) then return; end if;
  return query
    select b.nota_id from (
      select a.nota_id from busca_notas a where a.vetor @@ consulta and a.conta_id = conta and a.nota_id < antes
      order by a.nota_id desc offset 0
    ) b
    join notas n on n.conta_id = conta and n.id = b.nota_id
    join conversas v on v.conta_id = conta and v.id = n.conversa_id
    where v.protocolo is not null and (setores is null
      or coalesce(v.setor, 'geral') = any (setores) or (v.status = 'em_atendimento' and v.operador_id = leitor))
      and (nomes is null or (select c.busca ~ all (nomes) from contatos c where c.conta_id = conta and c.id = v.contato_id))
    order by b.nota_id desc limit limite;
end $$;
revoke all on function busca_notas_ids from public;
grant execute on function busca_notas_ids to balcao_app;
