import type { Deps } from '#deps.ts'
import type { PeriodicTask } from '#lib/every.ts'
import { NOTES_FOLDER } from './fleet-member.ts'
import { deleteOldNodes, deleteOldPackets, listNodeIds } from './repository.ts'

const INTERVAL_MS = 3_600_000
const PACKETS_MS = 60_000

export interface NodesJob {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

/**
 * Deletes the rows of nodes that died more than a day ago, the notes of nodes without a row, and the large packets between
 * nodes after a minute.
 */
export function nodesJob(deps: Pick<Deps, 'db' | 'files' | 'leader' | 'log'>): NodesJob {
  let tasks: readonly PeriodicTask[] = []
  return {
    start: () => {
      const failed = (error: unknown): void =>
        deps.log.error({ err: error }, 'rows of old nodes or packets not deleted')
      const packets = async (): Promise<void> =>
        void (await deps.db.transaction([], (tx) => deleteOldPackets(tx, {}), { oneTrip: true }))
      tasks = [
        deps.leader.every({ name: 'nos', ms: INTERVAL_MS, task: () => sweepNodes(deps), failed }),
        deps.leader.every({ name: 'recados', ms: PACKETS_MS, task: packets, failed }),
      ]
    },
    stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))),
  }
}

async function sweepNodes({ db, files }: Pick<Deps, 'db' | 'files'>): Promise<void> {
  // Before the rows: a node that joins writes its row first.
  const notes: string[] = []
  if (files.shared) for await (const id of files.notes.list(NOTES_FOLDER)) notes.push(id)
  const rows = await db.transaction([], async (tx) => {
    await deleteOldNodes(tx, {})
    return listNodeIds(tx, {})
  })
  const alive = new Set(rows.map(({ id }) => id))
  for (const id of notes) if (!alive.has(id)) await files.notes.remove(`${NOTES_FOLDER}/${id}`)
}
