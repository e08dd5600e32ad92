-- desde: 2.0.0
-- concorrente
create index concurrently busca_palavras_parecidas on busca_palavras using gin (conta_id, palavra gin_trgm_ops) with (fastupdate = off);
