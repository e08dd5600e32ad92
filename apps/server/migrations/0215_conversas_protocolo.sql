-- desde: 2.0.0
-- concorrente
create index concurrently conversas_protocolo on conversas (conta_id, protocolo text_pattern_ops) where protocolo is not null;
