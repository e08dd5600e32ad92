-- desde: 2.0.0
-- concorrente
create index concurrently if not exists agendadas_marcadas on agendadas (conta_id) where estado = 'marcada';
