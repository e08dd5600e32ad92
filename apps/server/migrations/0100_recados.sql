-- Large packets between nodes, read at once by the others and deleted after a minute. Unlogged: a crash empties it.
create unlogged table recados (
  id uuid primary key,
  corpo text not null,
  criado_em timestamptz not null default now()
);
