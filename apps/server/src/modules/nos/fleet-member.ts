import * as z from 'zod/mini'
import { folderId, machineId } from '#db/nodes/place-id.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { Fleet } from '#ports/bus.ts'

type ProofDeps = Pick<Deps, 'reservedDb' | 'files' | 'settings' | 'log'>

interface JoinableFleet extends Pick<Fleet, 'self'> {
  readonly join: () => Promise<void>
  readonly leave: () => Promise<void>
}

const DIFFERENT = 'Este nó não lê os arquivos de outro nó. Todos os nós usam o mesmo S3_BUCKET ou a mesma ARQUIVOS_DIR.'

/** Folder of the notes of nodes. */
export const NOTES_FOLDER = 'nos'
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
    await reservedDb.transaction([], (tx) => markShared(tx, this.#fleet.self))
    // Another node may have joined at the same time.
    await this.#readNotes()
  }

  #listOthers(): Promise<OtherStorage[]> {
    const { reservedDb, settings } = this.#deps
    const place = { pasta: folderId(settings.dataDir), maquina: machineId() }
    return reservedDb.transaction([], (tx) => listOtherStorages(tx, this.#fleet.self, place))
  }
}

const otherSchema = z.object({ id: z.string(), arquivos: z.boolean() })
type OtherStorage = z.output<typeof otherSchema>

/** The live nodes, without earlier processes of the same data folder: their configuration may have been another. */
function listOtherStorages(
  tx: Tx,
  self: string,
  { pasta, maquina }: { readonly pasta: string; readonly maquina: string },
): Promise<OtherStorage[]> {
  return tx.rows(
    otherSchema,
    `select id, arquivos from nos where id <> $1 and morto_em is null and expira > clock_timestamp()
       and not (pasta = $2 and maquina = $3)`,
    [self, pasta, maquina],
  )
}

async function markShared(tx: Tx, self: string): Promise<void> {
  await tx.query('update nos set arquivos = true where id = $1', [self])
}
