-- desde: 2.0.0
-- concorrente
create index concurrently mensagens_arquivos_e_links on mensagens (conta_id, conversa_id, id)
  where midia is not null or strpos(texto, '://') > 0 or strpos(texto, 'www.') > 0 or strpos(texto, 'Www.') > 0 or strpos(texto, 'WWW.') > 0;
