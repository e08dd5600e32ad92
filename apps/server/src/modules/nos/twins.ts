import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import * as z from 'zod/mini'
import { connectionName } from '#db/nodes/direct-connection.ts'
import type { NewNode } from './repository.ts'

const LOOK_MS = 250

const twinSchema = z.object({
  id: z.string(),
  nome: z.string(),
  visto: z.string(),
  ligado: z.boolean(),
})
type Twin = z.output<typeof twinSchema>

export interface TwinsOptions {
  /** Connection with the login's own role, because the role of the pool may not read the names of connections. */
  readonly client: Client
  readonly node: Pick<NewNode, 'id' | 'pasta'>
  /** A living node renews its row within this time. */
  readonly watchMs: number
}

/**
 * The other nodes with the id of this data folder. The lock of the folder proves that its earlier processes ended. A
 * copy of the folder has the same id and another lock, so its process may be alive.
 */
export class Twins {
  readonly #options: TwinsOptions
  readonly #known = new Map<string, Twin>()

  constructor(options: TwinsOptions) {
    this.#options = options
  }

  /**
   * Returns the ids of dead ones: they have no connections to the database. A node that keeps them without renewing its
   * row hangs, and the other nodes judge it. Throws a Portuguese sentence if one is alive.
   */
  async findDead(): Promise<readonly string[]> {
    const until = performance.now() + this.#options.watchMs
    let twins = await this.#list()
    for (const twin of twins) this.#known.set(twin.id, twin)
    while (twins.some(({ ligado }) => ligado) && performance.now() < until) {
      await sleep(Math.min(LOOK_MS, this.#options.watchMs))
      twins = await this.#list()
      const living = twins.find(({ id, visto }) => this.#known.get(id)?.visto !== visto)
      if (living !== undefined) throw refusal(living)
    }
    return twins.flatMap(({ id, ligado }) => (ligado ? [] : [id]))
  }

  async requireNoNewcomer(): Promise<void> {
    const newcomer = (await this.#list()).find(({ id }) => !this.#known.has(id))
    if (newcomer !== undefined) throw refusal(newcomer)
  }

  async #list(): Promise<Twin[]> {
    const { client, node } = this.#options
    const { rows } = await client.query(
      `select n.id, n.nome, n.visto_em::text as visto,
         exists (select 1 from pg_stat_activity a where a.application_name = $3 || n.id::text) as ligado
       from nos n where n.pasta = $2 and n.id <> $1 and n.morto_em is null`,
      [node.id, node.pasta, connectionName('')],
    )
    return z.array(twinSchema).parse(rows)
  }
}

function refusal({ nome }: Twin): Error {
  return new Error(
    `O Balcão "${nome}" está no ar com uma cópia desta pasta de dados: pare-o ou, para ter os dois, apague o arquivo pasta.id desta pasta e inicie de novo.`,
  )
}
