-- desde: 2.0.0
-- concorrente
create unique index concurrently conversas_aberta_na_linha on conversas (conta_id, contato_id, linha_id) nulls not distinct where status <> 'finalizada';
