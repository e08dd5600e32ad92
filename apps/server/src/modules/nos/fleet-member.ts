import * as z from 'zod/mini'
import { folderId, machineId } from '#db/nodes/place-id.ts'
import { sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import type { Fleet } from '#ports/bus.ts'
import { createJob, type Job } from '#lib/every.ts'
import { deleteOldNodes, deleteOldPackets, listNodeIds } from './repository.ts'

type ProofDeps = Pick<Deps, 'reservedDb' | 'files' | 'settings' | 'log'>

interface JoinableFleet extends Pick<Fleet, 'self'> {
  readonly join: () => Promise<void>
  readonly leave: () => Promise<void>
}

const DIFFERENT = 'Este nó não lê os arquivos de outro nó. Todos os nós usam o mesmo S3_BUCKET ou a mesma ARQUIVOS_DIR.'

const NOTES_FOLDER = 'nos'
const noteOf = (node: string): string => `${NOTES_FOLDER}/${node}`

/**
 * Joins the nodes and proves that all of them use the same storage: each writes a note with its id, and a new node
 * reads those of the others.
 */
export class FleetMember {
  readonly #deps: ProofDeps
  readonly #fleet: JoinableFleet

  constructor(deps: ProofDeps, fleet: JoinableFleet) {
    this.#deps = deps
    this.#fleet = fleet
  }

  /** Throws a Portuguese sentence if the configured storage lacks the note of a live node. Then no row is left. */
  async join(): Promise<void> {
    await this.#readNotes()
    await this.#fleet.join()
    try {
      await this.#writeNote()
    } catch (error) {
      await this.leave()
      throw error
    }
  }

  async leave(): Promise<void> {
    const { files } = this.#deps
    const removed = files.shared ? files.notes.remove(noteOf(this.#fleet.self)).catch(() => undefined) : undefined
    await Promise.all([this.#fleet.leave(), removed])
  }

  async #readNotes(): Promise<void> {
    const { files, log } = this.#deps
    const others = await this.#listOthers()
    if (!files.shared && others.length > 0)
      log.warn({ nos: others.length }, 'files not shared with the other nodes, set S3_BUCKET or ARQUIVOS_DIR')
    if (!files.shared) return
    for (const { id } of others.filter(({ arquivos }) => arquivos)) {
      const note = await files.notes.read(noteOf(id)).catch((error: unknown) => {
        throw new Error(DIFFERENT, { cause: error })
      })
      // The node may have left meanwhile.
      if (note === null && (await this.#listOthers()).some((other) => other.id === id)) throw new Error(DIFFERENT)
    }
  }

  async #writeNote(): Promise<void> {
    const { files, reservedDb, log } = this.#deps
    if (!files.shared) return
    try {
      await files.notes.write(noteOf(this.#fleet.self), '')
    } catch (error) {
      if ((await this.#listOthers()).length > 0) throw new Error(DIFFERENT, { cause: error })
      // Texts work without media files, and no other node needs them.
      log.error({ err: error }, 'file storage does not answer')
      return
    }
    await reservedDb.transaction([], (tx) => markShared(tx, { self: this.#fleet.self }))
    // Another node may have joined at the same time.
    await this.#readNotes()
  }

  #listOthers(): Promise<OtherStorage[]> {
    const { reservedDb, settings } = this.#deps
    const own = { self: this.#fleet.self, pasta: folderId(settings.dataDir), maquina: machineId() }
    return reservedDb.transaction([], (tx) => listOtherStorages(tx, own))
  }
}

const otherSchema = z.object({ id: z.string(), arquivos: z.boolean() })
type OtherStorage = z.output<typeof otherSchema>

const self = value('self', 'uuid')

/** The live nodes, without earlier processes of the same data folder: their configuration may have been another. */
const listOtherStorages = manyRows(
  'nos: list storages',
  otherSchema,
  sql`select id, arquivos from nos where id <> ${self} and morto_em is null and expira > clock_timestamp()
        and not (pasta = ${value('pasta', 'text')} and maquina = ${value('maquina', 'text')})`,
)

const markShared = noRows('nos: mark shared', sql`update nos set arquivos = true where id = ${self}`)

const INTERVAL_MS = 3_600_000
const PACKETS_MS = 60_000

export function nodesJob(deps: Pick<Deps, 'db' | 'files' | 'leader' | 'log'>): Job {
  const failed = (error: unknown): void => deps.log.error({ err: error }, 'rows of old nodes or packets not deleted')
  const packets = async (): Promise<void> =>
    void (await deps.db.transaction([], (tx) => deleteOldPackets(tx, {}), { oneTrip: true }))
  return createJob(() => [
    deps.leader.every({ name: 'nos', ms: INTERVAL_MS, task: () => sweepNodes(deps), failed }),
    deps.leader.every({ name: 'recados', ms: PACKETS_MS, task: packets, failed }),
  ])
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
