select set_config('app.contas', '*', true);

-- A row does not leave after this instant. The default serves nodes of the version before, which do not set it.
alter table saida add column vence_em timestamptz not null default now() + interval '24 hours';
update saida s
set vence_em = m.criada_em + case m.origem when 'operador' then interval '72 hours' else interval '24 hours' end
from mensagens m where m.conta_id = s.conta_id and m.id = s.mensagem_id;

select set_config('app.contas', '', true);
