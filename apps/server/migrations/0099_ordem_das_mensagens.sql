-- The greatest id of a message of the contato. A new message has a greater one, whatever the clock says.
alter table contatos add column ultimo_id uuid;
