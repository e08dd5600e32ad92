select set_config('app.contas', '*', true);

-- A version equal to the one before has no content and names the version whose content it shares. Old contents go
-- when the account has too many; their versions stay in the list.
alter table configuracoes
  alter column dados drop not null,
  add column igual_a integer,
  -- of the content, 0 without one
  add column bytes integer not null default 0,
  add check (dados is null or igual_a is null);
update configuracoes set bytes = octet_length(dados::text);

-- sums the contents of one account without reading them
create index configuracoes_conteudos on configuracoes (conta_id, versao) include (bytes, criada_em) where dados is not null;

select set_config('app.contas', '', true);
