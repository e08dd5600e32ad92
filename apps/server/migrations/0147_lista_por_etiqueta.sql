-- desde: 2.0.0
-- A list filtered by an etiqueta with many contatos reads this index in its order until the page is full. With the columns
-- of the filters in the index, PostgreSQL reads no row of the conversas before it.
create index conversas_atividade_nova on conversas (conta_id, status, ultima_atividade desc, id desc)
  include (contato_id, operador_id, setor) where protocolo is not null;
drop index conversas_atividade;
alter index conversas_atividade_nova rename to conversas_atividade;
