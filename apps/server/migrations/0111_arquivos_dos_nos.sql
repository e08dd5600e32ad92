-- desde: 2.0.0
-- `arquivos`: the node wrote its proof into the storage that all nodes use.
alter table nos add column arquivos boolean not null default false;
