-- desde: 2.0.0
-- em partes
update conversas set sem_resposta_desde = case status when 'aguardando' then coalesce(aguardando_desde, ultima_atividade) else ultima_atividade end where id = any (array(select id from conversas where sem_resposta_desde is null and protocolo is not null and not agente_meta and (status = 'aguardando' or (status = 'em_atendimento' and nao_lidas > 0)) limit 1000));
