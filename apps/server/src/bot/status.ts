import * as z from 'zod/mini'
import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import type { BotStatus, ConversaAtiva, StatusBot } from '@balcao/contract/entities/bot-status'
import { inicializadoDe, isRunningDe } from '@balcao/contract/status-bot'
import { type Log, tipoLogSchema } from '@balcao/contract/entities/log'
import type { Tx } from '#db/transaction.ts'
import type { BotRow } from './bots-repository.ts'

const ATIVAS_MAXIMO = 100

const ativaSchema = z.object({
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
export const LISTAS_VALEM_MS = 2_000
export const LISTAS_MUDADAS_VALEM_MS = 250

export interface ListasStatus {
  readonly conversasAtivas: ConversaAtiva[]
  readonly logs: Log[]
}

export async function listConversasAtivas(tx: Tx, contaId: string, desde: Date): Promise<ConversaAtiva[]> {
  const rows = await tx.rows(
    ativaSchema,
    `select c.id, c.telefone, c.nome, c.estado->>'etapa' as etapa, c.ultima_atividade
     from contatos c join conversas v on v.conta_id = c.conta_id and v.id = c.conversa_id
     where c.conta_id = $1 and c.ultima_atividade > $2 and v.status <> 'finalizada'
     order by c.ultima_atividade desc limit ${ATIVAS_MAXIMO}`,
    [contaId, desde],
  )
  return rows.map(({ etapa, ultima_atividade, ...row }) => ({
    ...row,
    ...(etapa === null ? {} : { etapa }),
    ultimaAtividade: ultima_atividade.toISOString(),
  }))
}

export async function listUltimosLogs(tx: Tx, contaId: string): Promise<Log[]> {
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

export function toBotStatus(bot: BotRow | null, listas: ListasStatus, manutencao: boolean): BotStatus {
  const status = statusDe(bot)
  const motivo = status === 'CONECTADO' && manutencao ? 'manutencao' : (bot?.motivo ?? null)
  const qrCode = status === 'AGUARDANDO_QR' ? (bot?.qr_code ?? null) : null
  const qrExpiraEm = qrCode === null ? null : (bot?.qr_expira_em ?? null)
  const conectadoComo = bot?.conectado_como ?? null
  return {
    status,
    ...(motivo === null ? {} : { motivo }),
    isRunning: isRunningDe(status),
    inicializado: inicializadoDe(status),
    qrCode,
    qr: qrCode,
    ...(qrExpiraEm === null ? {} : { qrExpiraEm: qrExpiraEm.toISOString() }),
    ...(conectadoComo === null ? {} : { conectadoComo }),
    ...(bot === null ? {} : { conector: bot.conector }),
    ...listas,
  }
}

/** A wanted bot without a valid lease is shown as INICIALIZANDO, because another node will take it. */
function statusDe(bot: BotRow | null): StatusBot {
  if (bot === null) return 'PARADO'
  return bot.desejado && !bot.vivo ? 'INICIALIZANDO' : bot.status
}
