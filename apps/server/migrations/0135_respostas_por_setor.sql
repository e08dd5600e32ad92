-- desde: 2.0.0
-- The setores that use the text. Empty: all.
alter table respostas_rapidas add column setores jsonb not null default '[]';
