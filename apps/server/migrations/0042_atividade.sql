-- When a conversation of people last moved: its last message, or its end. The list sorts on it, in whole milliseconds, because
-- the cursor of a page carries it as text. Only the rows of people keep it up: the bot's are in no list of this kind.
select set_config('app.contas', '*', true);

alter table conversas add column ultima_atividade timestamptz not null default date_trunc('milliseconds', now());

update conversas v set ultima_atividade = date_trunc('milliseconds', case v.status
  when 'finalizada' then coalesce(v.finalizada_em, v.iniciada_em)
  else coalesce((
    select m.criada_em from mensagens m where m.conta_id = v.conta_id and m.conversa_id = v.id order by m.id desc limit 1
  ), v.iniciada_em) end)
where v.protocolo is not null;

-- One page of one status, with and without a sector.
create index conversas_atividade on conversas (conta_id, status, ultima_atividade desc, id desc)
  where protocolo is not null;
create index conversas_setor on conversas (conta_id, status, setor, ultima_atividade desc, id desc)
  where protocolo is not null;
-- Nothing asks for this order.
drop index conversas_lista;
