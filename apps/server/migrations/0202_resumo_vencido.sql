-- desde: 2.0.0
-- concorrente
create index concurrently regras_atendimento_resumo on regras_atendimento (resumo_em) where resumo_em is not null;
