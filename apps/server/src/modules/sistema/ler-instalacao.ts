import { statfs } from 'node:fs/promises'
import { freemem, totalmem } from 'node:os'
import { VERSAO_PRODUTO } from '@balcao/contract/constants'
import type { SistemaAdmin } from '@balcao/contract/entities/sistema-admin'
import type { Deps } from '#deps.ts'
import { metricsOf } from '#http/metrics.ts'
import { NOME_DO_NO } from './batimento.ts'
import { findUltimaCopia, listBotsPorStatus, listNos, readContagens } from './instalacao-repository.ts'
import { lerConectores } from './versoes.ts'

/** A process without a heartbeat for this long is considered stopped. */
const VIVO_MS = 2 * 60_000

const umaCasa = (valor: number): number => Math.round(valor * 10) / 10

export async function lerInstalacao(deps: Pick<Deps, 'db' | 'clock' | 'mailer' | 'settings'>): Promise<SistemaAdmin> {
  const agora = deps.clock.now()
  const lido = await deps.db.read('*', async (tx) => ({
    contagens: await readContagens(tx, agora),
    porStatus: await listBotsPorStatus(tx),
    nos: await listNos(tx, new Date(agora.getTime() - VIVO_MS)),
    ultimaCopia: await findUltimaCopia(tx),
  }))
  const { contagens } = lido
  const metrics = metricsOf(deps)
  return {
    em: agora.toISOString(),
    noArS: Math.floor(process.uptime()),
    nos: lido.nos.map((no) => ({ ...no, este: no.nome === NOME_DO_NO })),
    versoes: {
      produto: VERSAO_PRODUTO,
      node: process.version,
      postgres: contagens.postgres,
      migracao: contagens.migracao,
      conectores: lerConectores(),
    },
    bots: { porStatus: lido.porStatus, semDono: contagens.semDono },
    contas: { vivas: contagens.contasVivas, excluidas: contagens.contasExcluidas },
    banco: { bytes: contagens.bancoBytes, conexoes: contagens.conexoes },
    arquivos: { quantos: contagens.arquivos, bytes: contagens.arquivosBytes },
    disco: await lerDisco(deps.settings.dataDir),
    memoria: {
      processoBytes: process.memoryUsage.rss(),
      usadaBytes: totalmem() - freemem(),
      totalBytes: totalmem(),
    },
    cpuPercentual: umaCasa(metrics.cpuPercentual()),
    tempoRespostaS: Math.round(metrics.tempoRespostaS() * 1000) / 1000,
    fila: { mensagens: contagens.fila, maisAntigaS: contagens.maisAntigaS, perguntasIa: contagens.perguntasIa },
    emails: {
      servidor: deps.mailer.configurado,
      esperando: contagens.emailsEsperando,
      falharam: contagens.emailsComErro,
    },
    ultimaCopia: lido.ultimaCopia,
  }
}

async function lerDisco(pasta: string): Promise<SistemaAdmin['disco']> {
  const { bavail, blocks, bsize } = await statfs(pasta)
  return { livreBytes: bavail * bsize, totalBytes: blocks * bsize }
}
