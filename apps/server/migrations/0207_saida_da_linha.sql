-- desde: 2.0.0
-- concorrente
-- Rows of further lines. Those of first lines have the primary key and pay for no second index.
create index concurrently saida_linha on saida (conta_id, linha_id, mensagem_id) where linha_id is not null;
