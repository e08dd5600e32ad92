-- What became of a message after it was said, as `bot/extras.ts` reads it: edited, taken back, reacted to; and what it quotes.
-- The text of the message itself is never rewritten. Rare, so it is one column that is almost always null and costs nothing.
alter table mensagens add column extras jsonb;
