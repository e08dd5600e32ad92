-- desde: 2.0.0
-- The next summary of the day before for the owner, and the last local day that has one.
alter table regras_atendimento add column resumo_em timestamptz, add column resumo_dia date;
