-- The ratings of one customer and of one conversation, beside the chat.
create index avaliacoes_contato on avaliacoes (conta_id, contato_id);
create index avaliacoes_conversa on avaliacoes (conta_id, conversa_id);
