-- desde: 2.0.0
-- `epoca` of the session that last began to send the message: it may have left. Written for services that take a
-- repeated message twice.
alter table saida add column tentada_por bigint;
