-- desde: 2.0.0
-- The menu on the web: the address of each shop's page, and the carts that its visitors sent.
create table paginas (
  conta_id uuid primary key references contas (id) on delete cascade,
  endereco text not null,
  ativa boolean not null
);
create unique index paginas_endereco on paginas (endereco);

-- Deleted after 24 hours. A cart without a contato is of a stranger who holds its code.
create table carrinhos_pagina (
  conta_id uuid not null references contas (id) on delete cascade,
  -- chosen by the page
  id uuid not null,
  codigo text not null,
  -- null: no customer has sent the code
  contato_id uuid,
  -- null: it is in the state of the bot
  carrinho jsonb,
  total_centavos bigint not null,
  -- sent over a link of the chat
  no_chat boolean not null,
  criado_em timestamptz not null,
  expira_em timestamptz not null,
  primary key (conta_id, id),
  foreign key (conta_id, contato_id) references contatos (conta_id, id) on delete cascade
);
create unique index carrinhos_pagina_codigo on carrinhos_pagina (conta_id, codigo);
create index carrinhos_pagina_contato on carrinhos_pagina (conta_id, contato_id) where contato_id is not null;
create index carrinhos_pagina_fim on carrinhos_pagina (conta_id, expira_em);

do $$
declare tabela text;
begin
  foreach tabela in array array['paginas', 'carrinhos_pagina'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('alter table %I force row level security', tabela);
    execute format('create policy conta on %I using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]))', tabela);
  end loop;
end $$;
