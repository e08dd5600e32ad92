import * as z from 'zod/mini'
import { type AvisoDePessoa, type TipoAviso, tipoAvisoSchema } from '@balcao/contract/entities/aviso'
import { instant } from '#db/statement/fields.ts'
import { columns, contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'

export const AVISO_DAYS = 30
const TEXT_MAX = 300
const OLD_BATCH = 1_000

const usuarioId = value('usuarioId', 'uuid')
const now = value('now', 'timestamptz')

const insertRows = noRows(
  'avisos: insert',
  sql`insert into avisos (conta_id, usuario_id, id, tipo, texto, conversa_id, criado_em)
      select ${contaId}, i.usuario_id, i.id, i.tipo, i.texto, i.conversa_id, ${now}
      from ${columns('i', { usuarioId: 'uuid', id: 'uuid', tipo: 'text', texto: 'text', conversaId: 'uuid?' })}`,
)

const avisoRowSchema = z.object({
  id: z.string(),
  tipo: tipoAvisoSchema,
  texto: z.string(),
  conversaId: z.nullable(z.string()),
  criadoEm: instant,
  lidoEm: z.nullable(instant),
})

const listRows = manyRows(
  'avisos: list',
  avisoRowSchema,
  sql`select id, tipo, texto, conversa_id, criado_em, lido_em from avisos
      where conta_id = ${contaId} and usuario_id = ${usuarioId}
        and (${value('before', 'uuid?')} is null or id < ${value('before', 'uuid?')})
      order by id desc limit ${value('max', 'int')}`,
)

/** Unread notices of the person, at most 100. */
export const countUnread = oneValue(
  'avisos: count unread',
  z.int(),
  sql`select count(*)::int as value from (
        select from avisos where conta_id = ${contaId} and usuario_id = ${usuarioId} and lido_em is null limit 100) a`,
)

/** Marks the person's notices up to this id as read. */
export const markReadUntil = noRows(
  'avisos: mark read',
  sql`update avisos set lido_em = ${now}
      where conta_id = ${contaId} and usuario_id = ${usuarioId} and lido_em is null and id <= ${value('ate', 'uuid')}`,
)

/** Marks the person's notices about a conversa as read. Returns their number. */
export const markReadOfConversa = noRows(
  'avisos: mark read of conversa',
  sql`update avisos set lido_em = ${now}
      where conta_id = ${contaId} and usuario_id = ${usuarioId} and lido_em is null
        and conversa_id = ${value('conversaId', 'uuid')}`,
)

/** Deletes one batch of notices older than the id. Returns the number of rows. */
export const deleteOldAvisos = noRows(
  'avisos: delete old',
  sql`delete from avisos where (conta_id, usuario_id, id) in (
        select conta_id, usuario_id, id from avisos where conta_id = ${contaId} and id < ${value('id', 'uuid')}
        order by id limit ${rawSql(String(OLD_BATCH))})`,
)

export interface NewAviso {
  readonly usuarioId: string
  readonly tipo: TipoAviso
  readonly texto: string
  readonly conversaId?: string
}

/** Stores notices for people of the conta. Their windows receive them after the commit. */
export async function addAvisos(
  tx: Tx,
  { ids, clock, realtime }: Pick<Deps, 'ids' | 'clock' | 'realtime'>,
  contaId: string,
  added: readonly NewAviso[],
): Promise<void> {
  if (added.length === 0) return
  const em = clock.now()
  const avisos = added.map(({ texto, ...aviso }) => ({ ...aviso, id: ids.uuid(), texto: texto.slice(0, TEXT_MAX) }))
  await insertRows(tx, { contaId, now: em, i: avisos.map((aviso) => ({ conversaId: null, ...aviso })) })
  tx.afterCommit(() => {
    for (const { usuarioId, ...rest } of avisos) {
      const aviso = { ...rest, criadoEm: em.toISOString() }
      realtime.publishPerson({ contaId, usuarioId }, 'avisoNovo', { userId: contaId, aviso })
    }
  })
}

interface AvisosRequest {
  readonly contaId: string
  readonly usuarioId: string
  readonly before: string | null
  readonly max: number
}

export async function listAvisos(tx: Tx, request: AvisosRequest): Promise<AvisoDePessoa[]> {
  return (await listRows(tx, request)).map(({ conversaId, lidoEm, ...aviso }) => ({
    ...aviso,
    ...(conversaId === null ? {} : { conversaId }),
    ...(lidoEm === null ? {} : { lidoEm }),
  }))
}
