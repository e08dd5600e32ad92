-- desde: 2.0.0
-- `nome_do_painel`: people wrote the name, so the name that the service sends does not replace it. `editado_em`: last
-- change by people; retention counts it as activity.
-- `chave` sorts the list and `busca` holds all that a search finds: the folded name, the user name after '@', and the
-- phone with and without the ninth digit. The database computes both, so every writer keeps them current. Their length is
-- limited, because the index stores them. The collation C folds only ASCII letters, the same on every server.
alter table contatos
  add column observacao text not null default '',
  add column nome_do_painel boolean not null default false,
  add column editado_em timestamptz,
  add column chave text collate "C" not null generated always as (
    case when nome = '' then '~' || left(telefone, 20)
    else left(lower(regexp_replace(normalize(nome, nfd), '[\u0300-\u036f]', '', 'g') collate "C"), 40) end
  ) stored,
  add column busca text collate "C" not null generated always as (
    left(lower(regexp_replace(normalize(nome, nfd), '[\u0300-\u036f]', '', 'g') collate "C"), 120)
    || E'\n@' || left(lower(nome_usuario collate "C"), 60)
    || E'\n' || left(telefone, 20)
    || case when telefone ~ '^55[1-9][1-9]9[6-9][0-9]{7}$' then E'\n' || left(telefone, 4) || right(telefone, 8)
      when telefone ~ '^55[1-9][1-9][6-9][0-9]{7}$' then E'\n' || left(telefone, 4) || '9' || right(telefone, 8)
      else '' end
  ) stored;

-- One page of the list in its order. A search reads only the index, because `busca` is in it.
create index contatos_chave on contatos (conta_id, chave, id) include (busca);
