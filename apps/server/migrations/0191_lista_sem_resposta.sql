-- desde: 2.0.0
-- concorrente
create index concurrently conversas_sem_resposta on conversas (conta_id, status, sem_resposta_desde, id) where sem_resposta_desde is not null and status in ('aguardando', 'em_atendimento');
