-- desde: 2.0.0
-- concorrente
drop index concurrently mensagens_com_arquivo;
