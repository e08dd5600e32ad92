-- When the service last said anything on the account's connection, by the database's clock; written with each renewal of
-- the lease, so that any node can tell how good the link is.
alter table bots add column ultimo_quadro timestamptz;

-- Entries of one kind, newest first: the rare ones are found without walking over the others.
create index logs_tipo on logs (conta_id, tipo, id);
