-- desde: 2.0.0
-- The next opening of a shop in which a customer waited outside business hours. The queue is served again at that time,
-- which sends the notice that no person is online.
alter table regras_atendimento add column abre_em timestamptz;
create index regras_atendimento_abre on regras_atendimento (abre_em) where abre_em is not null;
