-- A word sealed with the application's secret: whoever cannot open it cannot open anything else of this database either.
alter table configuracoes_admin add column canario text;
