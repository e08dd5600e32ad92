import { freemem, totalmem } from 'node:os'
import { hasBotSession, parseStatusBot } from '@balcao/contract/bot-status'
import type { SistemaStatus } from '@balcao/contract/entities/sistema-status'
import type { StatusBot } from '@balcao/contract/entities/bot-status'
import type { Config } from '@balcao/contract/entities/config'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { isReady } from '#http/ops/ready.ts'
import { firstIdAt } from '#ids.ts'
import { localDay } from '#lib/time.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { readTimeZone } from '#modules/contas/index.ts'
import { startOfDay } from '#modules/logs/index.ts'
import { countSentMensagens, readSistemaRow, readIaResponseTime } from './repository.ts'

const DAY_MS = 86_400_000
export const toOneDecimal = (value: number): number => Math.round(value * 10) / 10
export const toThreeDecimals = (value: number): number => Math.round(value * 1000) / 1000

export async function readSistemaStatus(
  deps: Pick<Deps, 'db' | 'clock' | 'vault' | 'metrics' | 'readiness' | 'conectores'>,
  contaId: string,
): Promise<SistemaStatus> {
  const now = deps.clock.now()
  const { leitura, config, enviadas, tempoDaIa } = await deps.db.transaction(contaId, async (tx) => {
    const zone = await readTimeZone(tx, { contaId })
    const yesterday = yesterdayUntilNow(now, zone)
    const days = { hoje: localDay(now, zone), ontem: localDay(yesterday.de, zone) }
    return {
      leitura: await readSistemaRow(tx, { contaId, ...days }),
      config: (await loadConfig(tx, deps, contaId)).config,
      tempoDaIa: await readIaResponseTime(tx, { contaId, since: firstIdAt(new Date(now.getTime() - DAY_MS)) }),
      enviadas: await countSentMensagens(tx, {
        contaId,
        de: firstIdAt(yesterday.de),
        ate: firstIdAt(yesterday.ate),
        fim: firstIdAt(yesterday.fim),
      }),
    }
  })
  if (leitura === null || enviadas === null) throw new AppError('naoEncontrado')
  const { metrics } = deps
  const whatsapp = botStatusOf(leitura.status, leitura.semDono)
  const quadroS = whatsapp === 'CONECTADO' ? leitura.quadroS : null
  return {
    whatsapp,
    servidor: isReady(await deps.readiness.read()) ? 'online' : 'instavel',
    ia: iaStateOf(config),
    sistema: { manutencao: leitura.manutencao },
    inicializado: hasBotSession(whatsapp),
    conectores: [...deps.conectores],
    cpu: toOneDecimal(metrics.cpuPercent()),
    memoria: toOneDecimal((1 - freemem() / totalmem()) * 100),
    tempoResposta: toThreeDecimals(metrics.meanAnswerS()),
    tempoRespostaIa: tempoDaIa === null ? null : toThreeDecimals(tempoDaIa),
    falhasIaHoje: leitura.falhasIa,
    mensagensHoje: leitura.usadas,
    variacaoMensagens: percentChange(leitura.total, leitura.totalOntem, enviadas),
    sinal: signalOf(quadroS),
    ultimoQuadroS: quadroS === null ? null : toOneDecimal(Math.max(0, quadroS)),
  }
}

/**
 * Start of yesterday, the same time of day, and its end. Computed by local days, because a day with a clock change
 * is not 24 hours long.
 */
export function yesterdayUntilNow(now: Date, timeZone: string): { de: Date; ate: Date; fim: Date } {
  const end = startOfDay(now, timeZone)
  const de = startOfDay(new Date(end.getTime() - 1), timeZone)
  return { de, ate: new Date(de.getTime() + now.getTime() - end.getTime()), fim: end }
}

/**
 * Percent change against yesterday at the same time. The daily counter is exact; the stored messages give the share
 * sent by this time. Null if yesterday was 0.
 */
export function percentChange(
  totalHoje: number,
  totalOntem: number,
  sent: { readonly ateAgora: number; readonly noDia: number },
): number | null {
  const yesterday = sent.noDia === 0 ? 0 : (totalOntem * sent.ateAgora) / sent.noDia
  return yesterday === 0 ? null : Math.round(((totalHoje - yesterday) / yesterday) * 100)
}

export function iaStateOf({ ia }: Config): SistemaStatus['ia'] {
  if (ia.apiKey === '') return 'sem_chave'
  return ia.ativa ? 'ativa' : 'inativa'
}

/** The stored status, or `INICIALIZANDO` while no node holds the lease of a wanted bot. */
export function botStatusOf(stored: string | null, unowned: boolean): StatusBot {
  if (stored === null) return 'PARADO'
  return unowned ? 'INICIALIZANDO' : (parseStatusBot(stored) ?? 'PARADO')
}

/** WhatsApp sends a heartbeat every 30 s, and the stored time is up to 5 s old. */
const HEARTBEAT_S = 36
const LOST_S = 48

export function signalOf(ultimoQuadroS: number | null): SistemaStatus['sinal'] {
  if (ultimoQuadroS === null) return null
  if (ultimoQuadroS <= HEARTBEAT_S) return 'forte'
  return ultimoQuadroS <= LOST_S ? 'medio' : 'fraco'
}
