-- `expira`: until when the node counts as alive, by the database's clock. `morto_em`: another node found it expired.
-- `pasta`: id of its data folder. `maquina`: id of the running system. `recado`: number of its last packets.
alter table nos
  add column pasta text not null default '',
  add column maquina text not null default '',
  add column expira timestamptz not null default now(),
  add column morto_em timestamptz,
  add column recado bigint not null default 0;
