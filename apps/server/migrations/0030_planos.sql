-- Before a new table has statistics, two indexes may look equally cheap, and the planner then takes the newer one: a scan
-- that skips over every contact of the account, instead of a look-up by primary key. The check of the foreign key runs for
-- every message and keeps such a plan, so the primary keys are made again, as the newest indexes of their tables.
alter table mensagens drop constraint mensagens_conta_id_conversa_id_fkey;
alter table conversas drop constraint conversas_pkey;
alter table conversas add primary key (conta_id, id);
alter table mensagens drop constraint mensagens_pkey;
alter table mensagens add primary key (conta_id, id);
alter table mensagens add foreign key (conta_id, conversa_id) references conversas (conta_id, id) on delete cascade;
