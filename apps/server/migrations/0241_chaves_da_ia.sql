-- desde: 2.0.0
-- em partes
update configuracoes set dados = dados #- '{ia,chaves}' where (conta_id, versao) in (select conta_id, versao from configuracoes where jsonb_path_exists(dados, '$.ia.chaves.* ? (@ != "" && !(@ starts with "selado:"))') limit 1000);
