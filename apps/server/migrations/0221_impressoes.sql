-- desde: 2.0.0
-- Kitchen tickets that wait for their printer. Printed ones are deleted.
create table impressoes (
  conta_id uuid not null references contas (id) on delete cascade,
  pedido_id uuid not null,
  tentativas integer not null default 0,
  -- the printer may have got a part of it
  incerta boolean not null default false,
  proxima_em timestamptz not null,
  criada_em timestamptz not null,
  primary key (conta_id, pedido_id),
  foreign key (conta_id, pedido_id) references pedidos (conta_id, id) on delete cascade
);
create index impressoes_proxima on impressoes (proxima_em);

alter table impressoes enable row level security;
alter table impressoes force row level security;
create policy conta on impressoes using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]));
