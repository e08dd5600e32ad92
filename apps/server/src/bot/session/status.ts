import * as z from 'zod/mini'
import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import type { BotStatus, ConversaAtiva, StatusBot } from '@balcao/contract/entities/bot-status'
import { hasBotSession, isBotRunning } from '@balcao/contract/bot-status'
import { type Log, tipoLogSchema } from '@balcao/contract/entities/log'
import type { Tx } from '#db/transaction.ts'
import type { BotRow } from '#modules/bot/repository.ts'

const ACTIVE_MAX = 100

const activeSchema = z.object({
  id: z.string(),
  telefone: z.string(),
  nome: z.string(),
  etapa: z.nullable(z.string()),
  ultima_atividade: z.date(),
})

const logRowSchema = z.object({
  id: z.string(),
  tipo: tipoLogSchema,
  mensagem: z.string(),
  detalhes: z.nullable(z.union([z.string(), z.record(z.string(), z.unknown())])),
  timestamp: z.date(),
})

/** Reading the status lists costs two scans, so one read per conta is cached for all clients. */
export const LISTS_TTL_MS = 2_000
export const CHANGED_LISTS_TTL_MS = 250

export interface StatusLists {
  readonly conversasAtivas: ConversaAtiva[]
  readonly logs: Log[]
}

export async function listActiveConversas(tx: Tx, contaId: string, since: Date): Promise<ConversaAtiva[]> {
  const rows = await tx.rows(
    activeSchema,
    `select c.id, c.telefone, c.nome, c.estado->>'etapa' as etapa, c.ultima_atividade
     from contatos c join conversas v on v.conta_id = c.conta_id and v.id = c.conversa_id
     where c.conta_id = $1 and c.ultima_atividade > $2 and v.status <> 'finalizada'
     order by c.ultima_atividade desc limit ${ACTIVE_MAX}`,
    [contaId, since],
  )
  return rows.map(({ etapa, ultima_atividade, ...row }) => ({
    ...row,
    ...(etapa === null ? {} : { etapa }),
    ultimaAtividade: ultima_atividade.toISOString(),
  }))
}

export async function listLastLogs(tx: Tx, contaId: string): Promise<Log[]> {
  const rows = await tx.rows(
    logRowSchema,
    `select id, tipo, mensagem, detalhes, timestamp from logs where conta_id = $1 order by id desc limit ${LOGS_MANTIDOS}`,
    [contaId],
  )
  return rows.map(({ detalhes, ...row }) => ({
    ...row,
    ...(detalhes === null ? {} : { detalhes }),
    timestamp: row.timestamp.toISOString(),
  }))
}

export function toBotStatus(bot: BotRow | null, lists: StatusLists, manutencao: boolean): BotStatus {
  const status = shownStatus(bot)
  const motivo = status === 'CONECTADO' && manutencao ? 'manutencao' : (bot?.motivo ?? null)
  const qrCode = status === 'AGUARDANDO_QR' ? (bot?.qr_code ?? null) : null
  const qrExpiraEm = qrCode === null ? null : (bot?.qr_expira_em ?? null)
  const conectadoComo = bot?.conectado_como ?? null
  return {
    status,
    ...(motivo === null ? {} : { motivo }),
    isRunning: isBotRunning(status),
    inicializado: hasBotSession(status),
    qrCode,
    qr: qrCode,
    ...(qrExpiraEm === null ? {} : { qrExpiraEm: qrExpiraEm.toISOString() }),
    ...(conectadoComo === null ? {} : { conectadoComo }),
    ...(bot === null ? {} : { conector: bot.conector }),
    ...lists,
  }
}

/** A wanted bot without a valid lease is shown as INICIALIZANDO, because another node will take it. */
function shownStatus(bot: BotRow | null): StatusBot {
  if (bot === null) return 'PARADO'
  return bot.desejado && !bot.vivo ? 'INICIALIZANDO' : bot.status
}
