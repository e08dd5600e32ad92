-- desde: 2.0.0
-- concorrente
create index concurrently conversas_respondidas on conversas (conta_id, status, ultima_atividade desc, id desc) where sem_resposta_desde is null and status in ('aguardando', 'em_atendimento');
