-- desde: 2.0.0
-- concorrente
create index concurrently contatos_busca on contatos using gin (conta_id, busca gin_trgm_ops) with (fastupdate = on, gin_pending_list_limit = 256);
