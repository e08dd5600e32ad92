-- Meta's own agent serves this conversation: nothing is answered here until a person writes or Meta hands it over.
alter table conversas add column agente_meta boolean not null default false;
create index conversas_agente on conversas (conta_id) where agente_meta;
