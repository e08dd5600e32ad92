-- desde: 2.0.0
-- What Meta charges for the messages of the official API. Sums alone: no number, no text, no id of a customer.

-- Prices of the installation. A price holds from its day until the next one of the same category and country.
create table oficial_tarifas (
  categoria text not null,
  -- ISO 3166 code; '*': all other countries
  pais text not null,
  vigente_desde date not null,
  -- of the currency, for one message
  milionesimos bigint not null check (milionesimos >= 0),
  moeda text not null,
  primary key (categoria, pais, vigente_desde)
);
alter table oficial_tarifas enable row level security;
alter table oficial_tarifas force row level security;
-- Every account reads the prices, and the system alone writes them.
create policy leitura on oficial_tarifas for select using (true);
create policy escrita on oficial_tarifas using ((select app_sistema()));

create table oficial_custos (
  conta_id uuid not null references contas (id) on delete cascade,
  -- local day of the first status
  dia date not null,
  linha_id uuid not null,
  tipo text not null check (tipo in ('cobrada', 'gratuita', 'anuncio')),
  -- Meta's word
  categoria text not null,
  origem text not null,
  -- '': unknown
  pais text not null,
  -- '': no price on this day
  moeda text not null,
  mensagens integer not null,
  milionesimos bigint not null,
  primary key (conta_id, dia, linha_id, tipo, categoria, origem, pais, moeda)
) with (fillfactor = 80);

-- Messages that are counted, by a digest: Meta repeats a status and sends several per message.
create table oficial_custos_vistos (
  conta_id uuid not null references contas (id) on delete cascade,
  marca bytea not null,
  visto_em timestamptz not null,
  primary key (conta_id, marca)
);
create index oficial_custos_vistos_em on oficial_custos_vistos (conta_id, visto_em);

-- Notices about the free messages of a month, each once.
create table oficial_custos_avisos (
  conta_id uuid not null references contas (id) on delete cascade,
  -- first day
  mes date not null,
  percentual integer not null,
  primary key (conta_id, mes, percentual)
);

do $$
declare tabela text;
begin
  foreach tabela in array array['oficial_custos', 'oficial_custos_vistos', 'oficial_custos_avisos'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('alter table %I force row level security', tabela);
    execute format('create policy conta on %I using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]))', tabela);
  end loop;
end $$;
