-- Every account's rows, for whoever owns the tables and is bound by their walls.
select set_config('app.contas', '*', true);
-- Meta's day for an answer begins when the customer wrote, by Meta's own clock: its webhook may bring that much later.
alter table contatos add column janela_desde timestamptz;
-- Of older ones it is over already.
update contatos c set janela_desde = u.em from (
  select v.conta_id, v.contato_id, max(m.criada_em) as em
  from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
  where m.canal = 'oficial' and m.direcao = 'entrada' and m.criada_em > now() - interval '24 hours'
  group by v.conta_id, v.contato_id
) u where c.conta_id = u.conta_id and c.id = u.contato_id;
