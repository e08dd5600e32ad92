-- desde: 2.0.0
-- concorrente
drop index concurrently conversas_aberta;
