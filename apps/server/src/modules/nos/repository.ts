import * as z from 'zod/mini'
import type { NodeStatus } from '@balcao/contract/entities/sistema-admin'
import type { Tx } from '#db/transaction.ts'

/** How long a node counts as alive after its last renewal. */
export const NODE_LEASE_S = 10

export interface NewNode {
  readonly id: string
  readonly nome: string
  readonly versao: string
  readonly node: string
  readonly iniciadoEm: Date
  readonly pasta: string
  readonly maquina: string
}

export interface NodeReading {
  readonly memoria: number
  readonly cpu: number
  /** Number of the last packets that the node sent. */
  readonly recado: number
  /** Bots that the node has. */
  readonly sessoes: number
  /** The node is stopping and takes no bots. */
  readonly saindo: boolean
}

export async function insertNode(tx: Tx, node: NewNode, { memoria, cpu }: NodeReading): Promise<void> {
  await tx.query(
    `insert into nos (id, nome, versao, node, iniciado_em, visto_em, pasta, maquina, memoria, cpu, expira)
     values ($1, $2, $3, $4, $5, clock_timestamp(), $6, $7, $8, $9, clock_timestamp() + make_interval(secs => $10))`,
    [node.id, node.nome, node.versao, node.node, node.iniciadoEm, node.pasta, node.maquina, memoria, cpu, NODE_LEASE_S],
  )
}

const RENEW_SQL = `update nos set visto_em = clock_timestamp(), expira = clock_timestamp() + make_interval(secs => $2),
    memoria = $3, cpu = $4, recado = $5, sessoes = $6, saindo = $7
  where id = $1 and morto_em is null returning clock_timestamp() as agora`

/** Renews the row of a node. Returns the time of the database, or null when another node condemned this one. */
export async function renewNode(tx: Tx, id: string, reading: NodeReading): Promise<Date | null> {
  const { memoria, cpu, recado, sessoes, saindo } = reading
  const { rows } = await tx.queryNamed<{ agora: Date }>('nos-renovar', RENEW_SQL, [
    ...[id, NODE_LEASE_S, memoria, cpu],
    ...[recado, sessoes, saindo],
  ])
  return rows[0]?.agora ?? null
}

const otherSchema = z.object({
  id: z.string(),
  recado: z.number(),
  sessoes: z.number(),
  saindo: z.boolean(),
  /** Differs after each renewal. No clock may be compared with it. */
  renewal: z.string(),
})
export type OtherNode = z.output<typeof otherSchema>

const RENEWAL_SQL = 'extract(epoch from expira)::text'

const LIST_OTHERS_SQL = `select id, recado, sessoes, saindo, ${RENEWAL_SQL} as renewal from nos
  where morto_em is null and id <> $1`

/** The other nodes that are not condemned. Every node reads them each second. */
export async function listOthers(tx: Tx, self: string): Promise<OtherNode[]> {
  const { rows } = await tx.queryNamed('nos-outros', LIST_OTHERS_SQL, [self])
  return rows.map((row) => otherSchema.parse(row))
}

/** Condemns nodes that did not renew since they were read. A late renewal excludes it by the lock of the row. */
export async function condemnNodes(tx: Tx, nodes: readonly Pick<OtherNode, 'id' | 'renewal'>[]): Promise<string[]> {
  const rows = await tx.rows(
    z.object({ id: z.string() }),
    `update nos set morto_em = clock_timestamp() from unnest($1::uuid[], $2::text[]) as i (id, renewal)
     where nos.id = i.id and morto_em is null and ${RENEWAL_SQL} = i.renewal returning nos.id`,
    [nodes.map(({ id }) => id), nodes.map(({ renewal }) => renewal)],
  )
  return rows.map(({ id }) => id)
}

/**
 * Condemns earlier processes of a data folder on the same running system. One on another system may be cut off from the
 * database and alive. `ended`: those that ended, or all others, because no other process can use the database.
 */
export async function condemnPredecessors(
  tx: Tx,
  { id, maquina }: NewNode,
  ended: readonly string[] | 'all',
): Promise<void> {
  await tx.query(
    `update nos set morto_em = clock_timestamp()
     where id <> $1 and morto_em is null and ($3::uuid[] is null or (id = any ($3) and maquina = $2))`,
    [id, maquina, ended === 'all' ? null : ended],
  )
}

/** Deletes rows of nodes that died more than a day ago. */
export async function deleteOldNodes(tx: Tx): Promise<void> {
  await tx.query(`delete from nos where coalesce(morto_em, visto_em) < clock_timestamp() - interval '1 day'`)
}

/** Large packets between nodes contain words of customers. Receivers read them at once. */
export async function deleteOldPackets(tx: Tx): Promise<void> {
  await tx.query(`delete from recados where criado_em < clock_timestamp() - interval '1 minute'`)
}

export async function deleteNode(tx: Tx, id: string): Promise<void> {
  await tx.query('delete from nos where id = $1', [id])
}

export async function listNodes(tx: Tx): Promise<Omit<NodeStatus, 'este' | 'ultimoRecadoS'>[]> {
  const lines = await tx.kysely
    .selectFrom('nos')
    .select(['id', 'nome', 'versao', 'iniciadoEm', 'vistoEm', 'memoria', 'cpu', 'sessoes', 'saindo', 'arquivos'])
    .where('mortoEm', 'is', null)
    .orderBy('iniciadoEm')
    .execute()
  return lines.map(({ iniciadoEm, vistoEm, memoria, cpu, sessoes, arquivos, ...no }) => ({
    ...no,
    bots: sessoes,
    arquivosCompartilhados: arquivos,
    iniciadoEm: iniciadoEm.toISOString(),
    vistoEm: vistoEm.toISOString(),
    memoriaBytes: memoria,
    cpuPercentual: Math.round(cpu * 10) / 10,
  }))
}
