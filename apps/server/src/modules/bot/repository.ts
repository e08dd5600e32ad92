import * as z from 'zod/mini'
import { CONECTORES } from '@balcao/contract/constants'
import { type ConnectorRow, connectorsPairedBy } from '@balcao/contract/connectors'
import { type MotivoBot, motivoBotSchema, type StatusBot, statusBotSchema } from '@balcao/contract/entities/bot-status'
import { RESTORE_PENDING_SQL } from '#db/backup/restore-hold.ts'
import { BOT_HELD_SQL } from '#db/nodes/held-bots.ts'
import { contaId, linhaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { LeaseKey, LineKey } from '#ports/bots.ts'
import { deleteKeys } from '#modules/chaves/index.ts'

export const isHeld = rawSql(BOT_HELD_SQL)
const restorePending = rawSql(RESTORE_PENDING_SQL)
const no = value('no', 'uuid')
const linhas = value('linhas', 'uuid[]')
export const isBotLine = sql`conta_id = ${contaId} and linha_id = ${linhaId}`
const isMine = sql`${isBotLine} and no = ${no} and epoca = ${value('epoca', 'bigint')} and desejado
  and parada is distinct from epoca`
const isAlive = sql`b.desejado and b.parada is distinct from b.epoca and ${isHeld}`
const lineSchema = z.object({ linhaId: z.string() })

export const isPairedBy = (pairing: ConnectorRow['pairing']) =>
  sql`conector = any ('{${rawSql(connectorsPairedBy(pairing).join(','))}}')`

export const wantBot = noRows(
  'bot: want',
  sql`insert into linhas_bots as b (conta_id, linha_id, desejado, conector, status)
      values (${contaId}, ${linhaId}, true, ${value('conector', 'text')}, 'INICIALIZANDO')
      on conflict (linha_id) do update set desejado = true, conector = excluded.conector, atualizado_em = now(),
        motivo = case when ${isAlive} then b.motivo end,
        pasta = case when b.conector = excluded.conector then b.pasta end,
        status = case when ${isAlive} then b.status else 'INICIALIZANDO' end`,
)

const stopBot = noRows(
  'bot: stop',
  sql`update linhas_bots set desejado = false, parada = epoca, status = 'PARADO', motivo = null, qr_code = null,
        qr_expira_em = null, conectado_como = null, desconectado_desde = null, atualizado_em = now(),
        credenciais = case when ${value('esquecer', 'bool')} then null else credenciais end,
        pasta = case when ${value('esquecer', 'bool')} then null else pasta end
      where ${isBotLine}`,
)

/** The node with the lease reads this after a bus event or at its next round. */
export async function unwantBot(tx: Tx, line: LineKey, { esquecer }: { esquecer: boolean }): Promise<void> {
  await stopBot(tx, { ...line, esquecer })
  if (esquecer) await deleteKeys(tx, line)
}

const listLinked = manyRows(
  'bot: list linked',
  lineSchema,
  sql`select linha_id from linhas_bots where linha_id = any (${linhas}) and ${isPairedBy('browser')}
        and credenciais is not null and coalesce(pasta, ${value('folder', 'text')}) = ${value('folder', 'text')}`,
)

export async function listWithLink(tx: Tx, linhas: readonly string[], folder: string): Promise<ReadonlySet<string>> {
  return new Set((await listLinked(tx, { linhas, folder })).map(({ linhaId }) => linhaId))
}

export interface StoredLinkState {
  readonly status: StatusBot
  readonly motivo?: MotivoBot
  /** Reason that a connected line shows. */
  readonly alerta?: MotivoBot
  readonly qrCode?: string
  readonly qrExpiraEm?: Date
  readonly conectadoComo?: string
  /** Digits. */
  readonly numero?: string
  readonly ended?: boolean
  readonly forget?: boolean
}

const connected = value('connected', 'bool')
const ended = value('ended', 'bool')
const forget = value('forget', 'bool')

const storeLinkState = noRows(
  'bot: store link state',
  sql`update linhas_bots set status = ${value('status', 'text')}, motivo = ${value('motivo', 'text?')}, alerta = ${value('alerta', 'text?')},
        qr_code = ${value('qrCode', 'text?')}, qr_expira_em = ${value('qrExpiraEm', 'timestamptz?')},
        conectado_como = ${value('conectadoComo', 'text?')}, numero = nullif(${value('numero', 'text?')}, ''),
        desejado = desejado and not ${ended},
        credenciais = case when ${forget} then null else credenciais end,
        pasta = case when ${forget} then null else pasta end,
        no = case when ${ended} then null else no end,
        desconectado_desde = case when ${connected} then null when status = 'CONECTADO' then now() else desconectado_desde end,
        ultimo_quadro = case when ${connected} then now() end,
        atualizado_em = now()
      where ${isMine}`,
)

const NO_LINK = {
  motivo: null,
  alerta: null,
  qrCode: null,
  qrExpiraEm: null,
  conectadoComo: null,
  numero: null,
  ended: false,
  forget: false,
}

/** Returns false and writes nothing when another node holds the lease or the bot was stopped. */
export async function updateLinkState(tx: Tx, lease: LeaseKey, state: StoredLinkState): Promise<boolean> {
  const { contaId, linhaId, no, epoca } = lease
  const key = { contaId, linhaId, no, epoca }
  const written = await storeLinkState(tx, { ...key, ...NO_LINK, ...state, connected: state.status === 'CONECTADO' })
  if (written === 1 && state.forget === true) await deleteKeys(tx, { linhaId })
  return written === 1
}

export const updateCredentials = noRows(
  'bot: store credentials',
  sql`update linhas_bots set credenciais = ${value('sealed', 'jsonb')},
        pasta = case when ${isPairedBy('browser')} then (select pasta from nos where id = ${no}) end
      where ${isMine}`,
)

const botSchema = z.object({
  desejado: z.boolean(),
  conector: z.enum(CONECTORES),
  status: statusBotSchema,
  motivo: z.nullable(motivoBotSchema),
  alerta: z.nullable(motivoBotSchema),
  qrCode: z.nullable(z.string()),
  qrExpiraEm: z.nullable(z.date()),
  conectadoComo: z.nullable(z.string()),
  vivo: z.boolean(),
  /** Wanted, but an imported backup waits for the administrator's decision. */
  retido: z.boolean(),
  no: z.nullable(z.string()),
})
export type BotRow = z.output<typeof botSchema>

export const findBot = oneRow(
  'bot: find',
  botSchema,
  sql`select desejado, conector, status, motivo, alerta, qr_code, qr_expira_em, conectado_como, no,
        ${isHeld} as vivo, desejado and ${restorePending} as retido
      from linhas_bots b where ${isBotLine}`,
)

const listHeld = manyRows(
  'bot: list holders',
  z.object({ linhaId: z.string(), no: z.string() }),
  sql`select linha_id, no from linhas_bots b where linha_id = any (${linhas}) and ${isHeld}`,
  { prepared: true },
)

/** The node that has each of these lines. */
export async function listHolders(tx: Tx, linhas: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return new Map((await listHeld(tx, { linhas })).map(({ linhaId, no }) => [linhaId, no]))
}

export const listDisconnected = manyRows(
  'bot: list disconnected',
  z.object({ contaId: z.string(), linhaId: z.string(), desde: z.date() }),
  sql`select conta_id, linha_id, desconectado_desde as desde from linhas_bots
      where desconectado_desde between now() - interval '1 day' and now() - interval '5 minutes' and not ${restorePending}`,
)

/** Of all lines. Stored in the same transaction, so the nodes that run them stop them even if this node crashes. */
export const markUnwanted = manyRows(
  'bot: mark unwanted',
  lineSchema,
  sql`update linhas_bots set desejado = false, parada = epoca where conta_id = ${contaId} returning linha_id`,
)

const digits = value('digits', 'text')

/** Until the end of the transaction, so that of two lines that connect a number at the same moment one reads the other. */
export const lockNumber = noRows(
  'bot: lock number',
  sql`select pg_advisory_xact_lock(hashtextextended('numero ' || ${digits}, 0))`,
)

/** Needs a system transaction: the other line may be of any account. */
export const isNumberConnected = oneValue(
  'bot: is number connected',
  z.boolean(),
  sql`select exists (select from linhas_bots b where b.status = 'CONECTADO' and b.desejado
        and b.numero = ${digits} and b.linha_id <> ${linhaId}) as value`,
)
