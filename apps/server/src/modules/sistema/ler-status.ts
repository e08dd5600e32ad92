import { freemem, totalmem } from 'node:os'
import { inicializadoDe } from '@balcao/contract/status-bot'
import type { SistemaStatus } from '@balcao/contract/entities/sistema-status'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { metricsOf } from '#http/metrics.ts'
import { idDesde } from '#ids.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { inicioDoDia } from '#modules/logs/index.ts'
import { countEnviadas, readFuso, readSistema } from './repository.ts'
import { diaLocal, estadoDaIa, ontemAteAgora, sinalDe, statusDe, variacao } from './rules.ts'

const umaCasa = (valor: number): number => Math.round(valor * 10) / 10

/** The account's and the machine's state, each value measured now. */
export async function lerStatus(deps: Pick<Deps, 'db' | 'clock' | 'cofre'>, contaId: string): Promise<SistemaStatus> {
  const agora = deps.clock.now()
  const { leitura, config, enviadas } = await deps.db.transaction(contaId, async (tx) => {
    const fuso = await readFuso(tx, contaId)
    const ontem = ontemAteAgora(agora, inicioDoDia(agora, fuso))
    const dias = { hoje: diaLocal(agora, fuso), ontem: diaLocal(ontem.de, fuso) }
    return {
      leitura: await readSistema(tx, contaId, dias),
      config: (await loadConfig(tx, deps, contaId)).config,
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
  return {
    whatsapp,
    servidor: 'online',
    ia: estadoDaIa(config),
    sistema: { manutencao: leitura.manutencao },
    inicializado: inicializadoDe(whatsapp),
    cpu: umaCasa(metrics.cpuPercentual()),
    memoria: umaCasa((1 - freemem() / totalmem()) * 100),
    tempoResposta: Math.round(metrics.tempoRespostaS() * 1000) / 1000,
    mensagensHoje: leitura.usadas,
    variacaoMensagens: variacao(leitura.total, leitura.totalOntem, enviadas),
    sinal: sinalDe(whatsapp, leitura.conector),
  }
}
