-- A link that invites is told apart from one that only replaces a password.
alter table redefinicoes_senha add column convite boolean not null default false;
-- Whoever has no password yet was invited with the links that are still out.
update redefinicoes_senha set convite = true
  from usuarios where usuarios.id = usuario_id and senha_hash is null;
-- The list of operators asks until when each one's invitation holds.
create index redefinicoes_senha_usuario on redefinicoes_senha (usuario_id);
