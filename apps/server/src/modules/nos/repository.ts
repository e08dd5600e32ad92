import * as z from 'zod/mini'
import { instant } from '#db/statement/fields.ts'
import { columns, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow } from '#db/statement/statement.ts'

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
  readonly sessoes: number
  readonly saindo: boolean
}

const id = value('id', 'uuid')
const maquina = value('maquina', 'text')
const memoria = value('memoria', 'bigint')
const cpu = value('cpu', 'float8')
const leaseEnd = sql`clock_timestamp() + make_interval(secs => ${rawSql(String(NODE_LEASE_S))})`
const idSchema = z.object({ id: z.string() })

export const insertNode = noRows(
  'nos: insert',
  sql`insert into nos (id, nome, versao, node, iniciado_em, visto_em, pasta, maquina, memoria, cpu, expira, com_linhas)
      values (${id}, ${value('nome', 'text')}, ${value('versao', 'text')}, ${value('node', 'text')},
        ${value('iniciadoEm', 'timestamptz')}, clock_timestamp(), ${value('pasta', 'text')}, ${maquina}, ${memoria}, ${cpu},
        ${leaseEnd}, true)`,
)

/** Renews the row of a node. Returns the time of the database, or null when another node condemned this one. */
export const renewNode = oneRow(
  'nos: renew',
  z.object({ agora: z.date() }),
  sql`update nos set visto_em = clock_timestamp(), expira = ${leaseEnd}, memoria = ${memoria}, cpu = ${cpu},
        recado = ${value('recado', 'bigint')}, sessoes = ${value('sessoes', 'int')}, saindo = ${value('saindo', 'bool')}
      where id = ${id} and morto_em is null returning clock_timestamp() as agora`,
  { prepared: true },
)

const otherSchema = z.object({
  id: z.string(),
  recado: z.number(),
  sessoes: z.number(),
  saindo: z.boolean(),
  /** Differs after each renewal. No clock may be compared with it. */
  renewal: z.string(),
})
export type OtherNode = z.output<typeof otherSchema>

const renewal = sql`extract(epoch from expira)::text`

export const listOthers = manyRows(
  'nos: list others',
  otherSchema,
  sql`select id, recado, sessoes, saindo, ${renewal} as renewal from nos where morto_em is null and id <> ${id}`,
  { prepared: true },
)

/** Condemns nodes that did not renew since they were read. A late renewal excludes it by the lock of the row. */
export const condemnNodes = manyRows(
  'nos: condemn',
  idSchema,
  sql`update nos set morto_em = clock_timestamp() from ${columns('i', { id: 'uuid', renewal: 'text' })}
      where nos.id = i.id and morto_em is null and ${renewal} = i.renewal returning nos.id`,
)

const ended = value('ended', 'uuid[]?')

/**
 * Condemns earlier processes of a data folder on the same running system. One on another system may be cut off from the
 * database and alive. `ended`: those that ended. Null: all others, because no other process can use the database.
 */
export const condemnPredecessors = noRows(
  'nos: condemn predecessors',
  sql`update nos set morto_em = clock_timestamp()
      where id <> ${id} and morto_em is null and (${ended} is null or (id = any (${ended}) and maquina = ${maquina}))`,
)

export const deleteOldNodes = noRows(
  'nos: delete old',
  sql`delete from nos where coalesce(morto_em, visto_em) < clock_timestamp() - interval '1 day'`,
)

/** Large packets between nodes contain words of customers. Receivers read them at once. */
export const deleteOldPackets = noRows(
  'nos: delete old packets',
  sql`delete from recados where criado_em < clock_timestamp() - interval '1 minute'`,
)

export const deleteNode = noRows('nos: delete', sql`delete from nos where id = ${id}`)

export const listNodes = manyRows(
  'nos: list',
  z.object({
    id: z.string(),
    nome: z.string(),
    versao: z.string(),
    iniciadoEm: instant,
    vistoEm: instant,
    memoriaBytes: z.number(),
    cpuPercentual: z.pipe(
      z.number(),
      z.transform((percent) => Math.round(percent * 10) / 10),
    ),
    bots: z.int(),
    saindo: z.boolean(),
    arquivosCompartilhados: z.boolean(),
  }),
  sql`select id, nome, versao, iniciado_em, visto_em, memoria as memoria_bytes, cpu as cpu_percentual, sessoes as bots,
        saindo, arquivos as arquivos_compartilhados
      from nos where morto_em is null order by iniciado_em`,
)

export const listNodeIds = manyRows('nos: list ids', idSchema, sql`select id from nos`)
