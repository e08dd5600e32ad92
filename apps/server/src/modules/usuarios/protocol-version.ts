import * as z from 'zod/mini'
import { type WhatsappSettings, whatsappSettingsSchema } from '@balcao/contract/entities/whatsapp'
import { linhaId, sql, value } from '#db/statement/sql.ts'
import { noRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { LineKey } from '#ports/bots.ts'

const now = value('now', 'timestamptz')
const versao = value('versao', 'text?')

const findVersion = oneRow(
  'usuarios: find protocol version',
  z.object({ versao: z.nullable(z.string()), recusada: z.unknown() }),
  sql`select whatsapp_versao as versao, whatsapp_recusada as recusada from configuracoes_admin`,
)

export async function readProtocolVersion(tx: Tx): Promise<WhatsappSettings> {
  const found = await findVersion(tx, {})
  const recusada = whatsappSettingsSchema.shape.recusada.safeParse(found?.recusada ?? undefined).data
  return { versao: found?.versao ?? null, ...(recusada === undefined ? {} : { recusada }) }
}

const findVersionOf = oneValue(
  'usuarios: find protocol version of line',
  z.nullable(z.string()),
  sql`select case when whatsapp_teste_linha = ${linhaId} and whatsapp_teste_ate > ${now} then whatsapp_teste_versao
        else whatsapp_versao end as value
      from configuracoes_admin`,
)

/** Returns 0 while another version is tested. */
export const beginVersionTest = noRows(
  'usuarios: begin version test',
  sql`update configuracoes_admin
      set whatsapp_teste_linha = ${linhaId}, whatsapp_teste_versao = ${versao}, whatsapp_teste_ate = ${value('until', 'timestamptz')}
      where whatsapp_teste_ate is null or whatsapp_teste_ate <= ${now}`,
)

const testEnded = sql`whatsapp_teste_linha = null, whatsapp_teste_versao = null, whatsapp_teste_ate = null`

export const refuseVersion = noRows(
  'usuarios: refuse protocol version',
  sql`update configuracoes_admin set ${testEnded}, whatsapp_recusada = ${value('recusada', 'jsonb')}`,
)

export const acceptVersion = noRows(
  'usuarios: accept protocol version',
  sql`update configuracoes_admin set ${testEnded}, whatsapp_recusada = null, whatsapp_versao = ${versao}`,
)

type Version = readonly [number, number, number]

function partsOf(text: string | null): Version | undefined {
  const [first, second, third] = (text ?? '').split('.').map(Number)
  return first === undefined || second === undefined || third === undefined ? undefined : [first, second, third]
}

/** Returns the version of a line for its next connection. Without an answer of the database, the last one that it read. */
export function createProtocolVersions({
  db,
  clock,
  log,
}: Pick<Deps, 'db' | 'clock' | 'log'>): (linhaId: LineKey['linhaId']) => Promise<Version | undefined> {
  let last: Version | undefined
  return async (line) => {
    try {
      last = partsOf(await db.read('*', (tx) => findVersionOf(tx, { linhaId: line, now: clock.now() })))
    } catch (error) {
      log.warn({ err: error, linhaId: line }, 'protocol version not read, last one used')
    }
    return last
  }
}
