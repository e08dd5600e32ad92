/** SQL condition on `bots b`: a node that is alive has the bot. */
export const BOT_HELD_SQL = 'exists (select 1 from nos n where n.id = b.no and n.morto_em is null)'

/** SQL condition on `bots b`: the bot is wanted and no node that is alive has it. */
export const BOT_FREE_SQL =
  '(b.desejado and (b.no is null or b.no = any (array(select id from nos where morto_em is not null))))'

/** Bots that one node starts in the 19 s that are left of 30 s after another one was found dead. */
const STARTED_IN_TIME = 190

/** Most bots of a node of which all are back 30 s after its death. Null: no other node could take them. */
export function botsPerNode(nodes: number): number | null {
  return nodes < 2 ? null : STARTED_IN_TIME * (nodes - 1)
}
