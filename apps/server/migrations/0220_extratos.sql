-- desde: 2.0.0
-- Payments of bank statements that were read before, so that none counts twice.
create table extratos (
  conta_id uuid not null references contas (id) on delete cascade,
  -- hash of the bank's id, or of day, sum and text
  chave text not null,
  -- null: no order was found for it
  pedido_id uuid,
  dia date not null,
  lido_em timestamptz not null,
  primary key (conta_id, chave),
  foreign key (conta_id, pedido_id) references pedidos (conta_id, id) on delete set null (pedido_id)
);
create index extratos_pedido on extratos (conta_id, pedido_id) where pedido_id is not null;
create index extratos_antigos on extratos (conta_id, lido_em);

alter table extratos enable row level security;
alter table extratos force row level security;
create policy conta on extratos using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]));
