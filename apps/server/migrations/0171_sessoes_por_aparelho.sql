-- desde: 2.0.0
-- concorrente
create index concurrently if not exists sessoes_aparelho on sessoes (usuario_id, aparelho);
