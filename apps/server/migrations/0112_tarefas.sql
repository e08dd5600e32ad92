-- desde: 2.0.0
-- Periodic work that one node does for all. `no`: the node that does it as long as it is alive. `comecou_em` and
-- `feita_em`: its last round. `erro`: kind of the error of the last round, null if it succeeded.
create table tarefas (
  nome text primary key,
  no uuid not null,
  periodo_s double precision not null,
  comecou_em timestamptz not null default now(),
  feita_em timestamptz,
  erro text
);
