-- desde: 2.0.0
-- What is needed to sell a produto: stock, other names, pause, category and choices.
alter table produtos
  add column estoque integer,
  add column sinonimos jsonb not null default '[]',
  add column categoria text not null default '',
  add column grupos jsonb not null default '[]',
  add column pausado_ate timestamptz;
alter table produtos add constraint produtos_estoque check (estoque >= 0) not valid;

create table cupons (
  conta_id uuid not null references contas (id) on delete cascade,
  id uuid not null,
  -- in capitals
  codigo text not null,
  tipo text not null check (tipo in ('percentual', 'valor', 'entrega')),
  valor integer not null,
  minimo_centavos integer not null,
  valido_ate timestamptz,
  -- null: without limit
  usos integer,
  por_cliente integer,
  ativo boolean not null,
  primary key (conta_id, id)
);
create unique index cupons_codigo on cupons (conta_id, codigo);

-- Sums are in cents. Without its contato an order keeps them, for the reports, and no personal data.
create table pedidos (
  conta_id uuid not null references contas (id) on delete cascade,
  id uuid not null,
  -- local day of the shop, with its own numbers
  dia date not null,
  numero integer not null,
  contato_id uuid,
  conversa_id uuid,
  -- null: the first line
  linha_id uuid,
  cliente text not null,
  itens jsonb not null,
  subtotal_centavos bigint not null,
  entrega_centavos bigint not null,
  desconto_centavos bigint not null,
  total_centavos bigint not null check (total_centavos >= 0),
  entrega jsonb not null,
  pagamento_forma text not null check (pagamento_forma in ('pix', 'dinheiro', 'cartao')),
  troco_centavos bigint,
  pagamento_estado text not null check (pagamento_estado in ('pendente', 'informado', 'confirmado')),
  status text not null check (status in ('novo', 'preparo', 'saiu', 'entregue', 'cancelado')),
  txid text not null,
  -- uses of a coupon are its orders that are not cancelled
  cupom_id uuid,
  observacao text not null,
  criado_em timestamptz not null,
  atualizado_em timestamptz not null,
  primary key (conta_id, id),
  foreign key (conta_id, contato_id) references contatos (conta_id, id) on delete set null (contato_id)
);
create unique index pedidos_numero on pedidos (conta_id, dia, numero);
create unique index pedidos_txid on pedidos (conta_id, txid);
create index pedidos_status on pedidos (conta_id, status, id);
create index pedidos_contato on pedidos (conta_id, contato_id);
create index pedidos_cupom on pedidos (conta_id, cupom_id) where cupom_id is not null;

create function pedido_sem_cliente() returns trigger language plpgsql as $$
begin
  new.cliente := '';
  new.observacao := '';
  new.entrega := new.entrega || '{"endereco": "", "cep": ""}';
  new.itens := (select coalesce(jsonb_agg(item || '{"observacao": ""}'), '[]') from jsonb_array_elements(new.itens) item);
  return new;
end $$;
create trigger pedidos_sem_cliente before update on pedidos for each row
  when (new.contato_id is null and old.contato_id is not null) execute function pedido_sem_cliente();

create table pedidos_numeros (
  conta_id uuid not null references contas (id) on delete cascade,
  dia date not null,
  ultimo integer not null,
  primary key (conta_id, dia)
);

do $$
declare tabela text;
begin
  foreach tabela in array array['cupons', 'pedidos', 'pedidos_numeros'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('alter table %I force row level security', tabela);
    execute format('create policy conta on %I using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]))', tabela);
  end loop;
end $$;
