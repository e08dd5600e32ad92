-- desde: 2.0.0
-- `versao_contexto`: grows with every change of the facts that the bot keeps in memory about the conta. A message reads
-- it with its locks, so that a change counts for the next message on every node.
alter table contas add column versao_contexto integer not null default 0;
