-- A rating given in a rehearsal says so also when its conversation is gone: reports leave it out.
alter table avaliacoes add column teste boolean not null default false;

-- Reports read some days out of years: by the hand-off, and by the end. What only the bot served is in neither.
create index conversas_entregues on conversas (conta_id, aguardando_desde) where protocolo is not null;
create index conversas_encerradas on conversas (conta_id, finalizada_em) where protocolo is not null;
