-- desde: 2.0.0
-- Meta refused an order with its items on this line. For a day the PIX codes of orders leave as text.
alter table linhas_oficial add column pedidos_recusados_em timestamptz;
