-- Clearing conversations must not take the customers' ratings with them: a rating keeps its contact and outlives its conversation.
alter table avaliacoes drop constraint avaliacoes_conta_id_conversa_id_fkey;
