-- desde: 2.0.0
-- When the search task read a batch of the conta last. Null: before any other conta.
alter table busca_contas add column lida_em timestamptz;
