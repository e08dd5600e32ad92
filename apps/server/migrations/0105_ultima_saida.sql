-- desde: 2.0.0
-- `ultima_saida`: the message last promised to the contato. `anterior`: the one promised before this one. The node with
-- the session sends no message before its `anterior`, whichever nodes wrote the two.
alter table contatos add column ultima_saida uuid;
alter table saida add column anterior uuid;
