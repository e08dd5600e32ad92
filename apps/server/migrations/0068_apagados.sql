-- Customers whose data were erased, as marks that nobody can read back: HMAC(account, address). A backup of before the erasure
-- brings the customer back; at the next start the mark erases them again.
create table apagados (
  conta_id uuid not null references contas (id) on delete cascade,
  marca text not null,
  -- whoever writes after this is a new customer
  apagado_em timestamptz not null,
  primary key (conta_id, marca)
);
alter table apagados enable row level security;
alter table apagados force row level security;
create policy conta on apagados
  using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]));
