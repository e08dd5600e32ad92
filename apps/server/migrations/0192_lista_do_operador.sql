-- desde: 2.0.0
-- concorrente
create index concurrently conversas_do_operador on conversas (conta_id, operador_id) where status = 'em_atendimento';
