/** Bots that one node starts in the 19 s that are left of 30 s after another one was found dead. */
const STARTED_IN_TIME = 190

/** Most bots of a node of which all are back 30 s after its death. Null: no other node could take them. */
export function botsPerNode(nodes: number): number | null {
  return nodes < 2 ? null : STARTED_IN_TIME * (nodes - 1)
}
