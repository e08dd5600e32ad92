-- desde: 2.0.0
-- `pasta`: id of the data folder with the browser profile of a linked phone. Only nodes of that folder may take the bot.
alter table bots add column pasta text;
create index bots_desconectados on bots (desconectado_desde) where desconectado_desde is not null;
