-- desde: 2.0.0
-- concorrente
create index concurrently mensagens_com_arquivo on mensagens (conta_id, conversa_id, id) where midia is not null or texto ~* '(https?://|www\.)';
