-- No line `desde`: a program that renews each bot would take the bots of a node that renews only its own row.
-- The row of a node is the lease of all its bots: a bot is free when `no` is null or its node is condemned.
-- `livre_desde`: since when nobody has it. `lease_expira` is no longer written.
drop index bots_desejado;
alter table bots
  alter column no type uuid using null,
  add foreign key (no) references nos (id) on delete set null,
  add column livre_desde timestamptz;
create index bots_do_no on bots (no);
create index bots_livres on bots (livre_desde) where desejado and no is null;
-- `saindo`: the node stops and takes no bots. `sessoes`: bots that it has.
alter table nos
  add column saindo boolean not null default false,
  add column sessoes integer not null default 0;
create index nos_mortos on nos (id) where morto_em is not null;
