-- Pictures, voices and documents. The bytes are outside (ports/files.ts); a row says whose they are and what they are.

-- The row comes first ('pendente'), then the bytes, then 'pronto': bytes without a row are leftovers, a row that never got
-- ready is never served.
create table arquivos (
  conta_id uuid not null references contas (id) on delete cascade,
  -- 128 random bits and the type's extension: who knows the name may read
  nome text not null,
  uso text not null check (uso in ('midia')),
  -- found in the bytes, never taken from who sent them
  tipo text not null,
  tamanho integer not null check (tamanho > 0),
  -- for the person who downloads it
  nome_original text not null default '',
  estado text not null default 'pendente' check (estado in ('pendente', 'pronto')),
  criado_em timestamptz not null,
  primary key (conta_id, nome)
);
-- an address names the file alone
create unique index arquivos_nome on arquivos (nome);
create index arquivos_uso on arquivos (conta_id, uso, criado_em);
alter table arquivos enable row level security;
alter table arquivos force row level security;
create policy conta on arquivos
  using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]));

-- Which message carries a file: for files whose message was never written.
create index mensagens_midia on mensagens (conta_id, (midia ->> 'url')) where midia is not null;

-- Whatever erases a message erases its file, in the same instant; the bytes, without a row, go with the next sweep.
create function apagar_arquivos_de_mensagens() returns trigger language plpgsql as $$
begin
  delete from arquivos a using apagadas m
  where m.midia is not null and a.conta_id = m.conta_id and a.uso = 'midia'
    and a.nome = substring(m.midia ->> 'url' from '^/api/midias/(.+)$');
  return null;
end $$;
create trigger mensagens_arquivos after delete on mensagens
  referencing old table as apagadas for each statement execute function apagar_arquivos_de_mensagens();
