select set_config('app.contas', '*', true);
-- Addresses of a contact that its service announced as given up or taken: canonical address -> {"em": ms, "deixado": bool}.
-- No reply goes to one that was given up; a late message under it still finds the contact. Null for most contacts.
alter table contatos add column trocas jsonb;

-- User name of the service, without '@'. It belongs to one person at a time, and people change it.
alter table contatos add column nome_usuario text not null default '';
create unique index contatos_nome_usuario on contatos (conta_id, nome_usuario) where nome_usuario <> '';

-- An erasure mark concerns addresses that were known at the erasure. One that joins a contact later is not meant.
alter table enderecos add column criado_em timestamptz;
update enderecos e set criado_em = c.criado_em from contatos c where c.conta_id = e.conta_id and c.id = e.contato_id;
alter table enderecos alter column criado_em set default clock_timestamp(), alter column criado_em set not null;
