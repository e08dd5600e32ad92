/** SQL condition on `bots b`: a node that is alive has the bot. */
export const BOT_HELD_SQL = 'exists (select 1 from nos n where n.id = b.no and n.morto_em is null)'

/** SQL condition on `bots b`: the bot is wanted and no node that is alive has it. */
export const BOT_FREE_SQL =
  '(b.desejado and (b.no is null or b.no = any (array(select id from nos where morto_em is not null))))'
