import { freemem, totalmem } from 'node:os'
import { hasBotSession } from '@balcao/contract/bot-status'
import type { SistemaStatus } from '@balcao/contract/entities/sistema-status'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { isReady } from '#http/ops/ready.ts'
import { firstIdAt } from '#ids.ts'
import { localDay } from '#lib/time.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { readTimeZone } from '#modules/contas/index.ts'
import { countSentMensagens, readSistemaRow, readIaResponseTime } from './repository.ts'
import { iaStateOf, yesterdayUntilNow, signalOf, botStatusOf, percentChange } from './rules.ts'

const DAY_MS = 86_400_000
const toOneDecimal = (value: number): number => Math.round(value * 10) / 10
const toThreeDecimals = (value: number): number => Math.round(value * 1000) / 1000

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
