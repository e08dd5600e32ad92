-- desde: 2.0.0
-- concorrente
create index concurrently mensagens_lacunas on mensagens (conta_id, id) where lacuna is not null;
