import { freemem, totalmem } from 'node:os'
import { inicializadoDe } from '@balcao/contract/status-bot'
import type { SistemaStatus } from '@balcao/contract/entities/sistema-status'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { metricsOf } from '#http/metrics.ts'
import { idDesde } from '#ids.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { countEnviadas, readFuso, readSistema, readTempoDaIa } from './repository.ts'
import { diaLocal, estadoDaIa, ontemAteAgora, sinalDe, statusDe, variacao } from './rules.ts'

const DIA_MS = 86_400_000
const umaCasa = (valor: number): number => Math.round(valor * 10) / 10
const emMilesimos = (valor: number): number => Math.round(valor * 1000) / 1000

export async function lerStatus(deps: Pick<Deps, 'db' | 'clock' | 'cofre'>, contaId: string): Promise<SistemaStatus> {
  const agora = deps.clock.now()
  const { leitura, config, enviadas, tempoDaIa } = await deps.db.transaction(contaId, async (tx) => {
    const fuso = await readFuso(tx, contaId)
    const ontem = ontemAteAgora(agora, fuso)
    const dias = { hoje: diaLocal(agora, fuso), ontem: diaLocal(ontem.de, fuso) }
    return {
      leitura: await readSistema(tx, contaId, dias),
      config: (await loadConfig(tx, deps, contaId)).config,
      tempoDaIa: await readTempoDaIa(tx, contaId, idDesde(new Date(agora.getTime() - DIA_MS))),
      enviadas: await countEnviadas(tx, contaId, {
        de: idDesde(ontem.de),
        ate: idDesde(ontem.ate),
        fim: idDesde(ontem.fim),
      }),
    }
  })
  if (leitura === null) throw new AppError('naoEncontrado')
  const metrics = metricsOf(deps)
  const whatsapp = statusDe(leitura.status, leitura.semDono)
  const quadroS = whatsapp === 'CONECTADO' ? leitura.quadroS : null
  return {
    whatsapp,
    servidor: 'online',
    ia: estadoDaIa(config),
    sistema: { manutencao: leitura.manutencao },
    inicializado: inicializadoDe(whatsapp),
    cpu: umaCasa(metrics.cpuPercentual()),
    memoria: umaCasa((1 - freemem() / totalmem()) * 100),
    tempoResposta: emMilesimos(metrics.tempoRespostaS()),
    tempoRespostaIa: tempoDaIa === null ? null : emMilesimos(tempoDaIa),
    falhasIaHoje: leitura.falhasIa,
    mensagensHoje: leitura.usadas,
    variacaoMensagens: variacao(leitura.total, leitura.totalOntem, enviadas),
    sinal: sinalDe(quadroS),
    ultimoQuadroS: quadroS === null ? null : umaCasa(Math.max(0, quadroS)),
  }
}
