-- desde: 2.0.0
-- Questions without an answer of the bot, for the list of gaps, and the summary of the AI for the next person.

-- Of a message of the bot that was sent in the place of an answer. Null: all others. Written with the message and never changed.
alter table mensagens add column lacuna text;

alter table conversas add column resumo_ia text;

-- Gaps that the owner does not want in the list. `id` is a hash of a word, so the table has no text of a customer.
create table lacunas_ignoradas (
  conta_id uuid not null references contas (id) on delete cascade,
  id text not null,
  ignorada_em timestamptz not null,
  primary key (conta_id, id)
);
alter table lacunas_ignoradas enable row level security;
alter table lacunas_ignoradas force row level security;
create policy conta on lacunas_ignoradas using ((select app_sistema()) or conta_id = any ((select app_contas())::uuid[]));
