-- What a WhatsApp session must not lose. Everything here is sealed: whoever has the keys of a session is that account.

-- Signal's keys and ratchets, one row each. A step of encryption writes all its rows in one transaction or none.
create table whatsapp_chaves (
  conta_id uuid not null references contas (id) on delete cascade,
  tipo text not null,
  id text not null,
  valor text not null,
  primary key (conta_id, tipo, id)
) with (fillfactor = 70);

-- The journal: what was decrypted and is not yet a message of the bot. Written with the ratchet's step that decrypted it,
-- before WhatsApp is told that it arrived; nobody can decrypt it twice. A row lives for milliseconds, or across a crash.
create table whatsapp_chegadas (
  conta_id uuid not null references contas (id) on delete cascade,
  id text not null,
  ordem bigint generated always as identity,
  valor text not null,
  chegou_em timestamptz not null default now(),
  primary key (conta_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

do $$
declare tabela text;
begin
  foreach tabela in array array['whatsapp_chaves', 'whatsapp_chegadas'] loop
    execute format('alter table %I enable row level security', tabela);
    execute format('alter table %I force row level security', tabela);
    execute format('create policy conta on %I using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]))', tabela);
  end loop;
end $$;
