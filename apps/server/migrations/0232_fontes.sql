-- desde: 2.0.0
-- Texts, files and sites that the assistant reads, with the bytes that the owner gave. A site has none.
create table fontes (
  conta_id uuid not null references contas (id) on delete cascade,
  id uuid not null,
  tipo text not null check (tipo in ('texto', 'arquivo', 'site')),
  titulo text not null,
  -- name of the file
  arquivo text,
  url text,
  paginas integer,
  conteudo bytea,
  estado text not null check (estado in ('lendo', 'pronta', 'falhou')),
  motivo text,
  trechos integer not null default 0,
  bytes bigint not null,
  criada_em timestamptz not null,
  lida_em timestamptz,
  expira_em timestamptz,
  -- due to be read; during a reading the end of its lease
  ler_em timestamptz,
  -- the running reading; a result of another one is dropped
  leitura uuid,
  tentativas integer not null default 0,
  -- model of the vectors; null: the pieces have none
  modelo_vetores text,
  -- the vectors are due
  vetores_em timestamptz,
  primary key (conta_id, id)
);
create index fontes_ler on fontes (ler_em) where ler_em is not null;
create index fontes_vetores on fontes (vetores_em) where vetores_em is not null;

create table fontes_trechos (
  conta_id uuid not null,
  fonte_id uuid not null,
  ordem integer not null,
  pagina integer,
  secao text not null,
  texto text not null,
  -- roots of title, section and text, each behind the last six digits of conta_id
  vetor tsvector not null,
  -- numbers of -127 to 127, one byte each
  embedding bytea,
  primary key (conta_id, fonte_id, ordem),
  foreign key (conta_id, fonte_id) references fontes (conta_id, id) on delete cascade
);
create index fontes_trechos_vetor on fontes_trechos using gin (vetor) with (fastupdate = off);

-- Roots of each source. Their trigrams correct typing errors of a question.
create table fontes_palavras (
  conta_id uuid not null,
  palavra text collate "C" not null,
  fonte_id uuid not null,
  -- pieces with the root
  trechos integer not null,
  primary key (conta_id, palavra, fonte_id),
  foreign key (conta_id, fonte_id) references fontes (conta_id, id) on delete cascade
);
create index fontes_palavras_fonte on fontes_palavras (conta_id, fonte_id);
create index fontes_palavras_parecidas on fontes_palavras using gin (conta_id, palavra gin_trgm_ops) with (fastupdate = off);

do $$
declare tabela text;
begin
  foreach tabela in array array['fontes', 'fontes_trechos', 'fontes_palavras'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('alter table %I force row level security', tabela);
    execute format('create policy conta on %I using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]))', tabela);
  end loop;
  foreach tabela in array array['fontes_trechos', 'fontes_palavras'] loop
    execute format('create policy dono on %I to current_user using (true)', tabela);
  end loop;
end $$;

-- Sums of the weights of the words that a piece has. `raras` chooses the pieces. `@@` is not leakproof, so under a policy
-- PostgreSQL uses no index for it: the function runs as the owner and checks the conta itself.
create function fontes_achar(conta uuid, raras text, palavras text[], exatos float8[], amplos float8[], limite integer)
returns table (fonte_id uuid, ordem integer, exato float8, amplo float8)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off as $$
begin
  if not (app_sistema() or conta = any (app_contas())) then return; end if;
  return query
    with palavras_buscadas as materialized (
      select p.palavra::tsquery as consulta, p.exato, p.amplo from unnest(palavras, exatos, amplos) as p (palavra, exato, amplo)
    ), achados as materialized (
      select t.conta_id, t.fonte_id, t.ordem, t.vetor from fontes_trechos t where t.vetor @@ raras::tsquery limit 4000
    )
    select a.fonte_id, a.ordem, s.exato, s.amplo from achados a cross join lateral (
      select sum(p.exato) as exato, sum(p.amplo) as amplo from palavras_buscadas p where a.vetor @@ p.consulta
    ) s
    where a.conta_id = conta order by s.exato + s.amplo desc, a.fonte_id, a.ordem limit limite;
end $$;

-- Words of the sources that are similar to a root. `%` is not leakproof either.
create function fontes_parecidas(conta uuid, procuradas text[])
returns table (procurada text, palavra text, trechos integer)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off
set pg_trgm.similarity_threshold = 0.25 as $$
begin
  if not (app_sistema() or conta = any (app_contas())) then return; end if;
  return query
    select b.procurada, p.palavra, p.trechos from unnest(procuradas) as b (procurada) cross join lateral (
      select w.palavra, sum(w.trechos)::integer as trechos from fontes_palavras w
      where w.conta_id = conta and w.palavra % b.procurada
        and length(w.palavra) between length(b.procurada) - 3 and length(b.procurada) + 5
      group by w.palavra order by similarity(w.palavra, b.procurada) desc, 2 desc limit 8
    ) p;
end $$;
revoke all on function fontes_achar, fontes_parecidas from public;
grant execute on function fontes_achar, fontes_parecidas to balcao_app;

-- Sources whose pieces were sent with the question of a kept answer.
alter table respostas_ia add column fontes uuid[];
