import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { freemem, totalmem } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { CONNECTORS } from '@balcao/contract/connectors'
import { VERSAO_PRODUTO } from '@balcao/contract/constants'
import type { NodeStatus, SistemaAdmin } from '@balcao/contract/entities/sistema-admin'
import { botsPerNode } from '#db/nodes/held-bots.ts'
import type { Deps } from '#deps.ts'
import { listNodes } from '#modules/nos/index.ts'
import type { BackupStatus } from '#ports/backups.ts'
import { toOneDecimal, toThreeDecimals } from './read-status.ts'
import { findLastBackup, findPendingRestore, listBotsByStatus, readCounts } from './repository.ts'

export async function readInstallation(
  deps: Pick<Deps, 'db' | 'clock' | 'mailer' | 'settings' | 'metrics' | 'backups' | 'fleet'>,
): Promise<SistemaAdmin> {
  const now = deps.clock.now()
  const parsed = await deps.db.read('*', async (tx) => ({
    contagens: await readCounts(tx, { now }),
    porStatus: await listBotsByStatus(tx, {}),
    nos: await listNodes(tx, {}),
    ultimaCopia: await findLastBackup(tx, {}),
    restauracao: await findPendingRestore(tx, { now }),
  }))
  const { contagens, restauracao } = parsed
  if (contagens === null) throw new Error('counts query without a row')
  const { metrics } = deps
  const copias = await deps.backups.status()
  return {
    em: now.toISOString(),
    noArS: Math.floor(process.uptime()),
    nos: parsed.nos.map((no) => nodeView(no, deps.fleet, now)),
    botsPorNoMaximo: botsPerNode(parsed.nos.length),
    recados: metrics.busTotals(),
    versoes: {
      produto: VERSAO_PRODUTO,
      node: process.version,
      postgres: contagens.postgres,
      migracao: contagens.migracao,
      conectores: readConnectorVersions(),
    },
    bots: { porStatus: parsed.porStatus, semDono: contagens.semDono },
    contas: { vivas: contagens.contasVivas, excluidas: contagens.contasExcluidas },
    banco: { bytes: contagens.bancoBytes, conexoes: contagens.conexoes },
    arquivos: { quantos: contagens.arquivos, bytes: contagens.arquivosBytes },
    disco: await readDisk(deps.settings.dataDir),
    memoria: {
      processoBytes: process.memoryUsage.rss(),
      usadaBytes: totalmem() - freemem(),
      totalBytes: totalmem(),
    },
    cpuPercentual: toOneDecimal(metrics.cpuPercent()),
    tempoRespostaS: toThreeDecimals(metrics.meanAnswerS()),
    fila: { mensagens: contagens.fila, maisAntigaS: contagens.maisAntigaS, perguntasIa: contagens.perguntasIa },
    emails: {
      servidor: deps.mailer.configured,
      esperando: contagens.emailsEsperando,
      falharam: contagens.emailsComErro,
    },
    ultimaCopia: parsed.ultimaCopia,
    copias: copias === null ? null : backupsView(copias),
    restauracao:
      restauracao === null
        ? null
        : {
            ...restauracao,
            copiaDe: restauracao.copiaDe.toISOString(),
            importadaEm: restauracao.importadaEm.toISOString(),
          },
  }
}

function nodeView(
  node: Omit<NodeStatus, 'este' | 'ultimoRecadoS'>,
  { self, heardFrom }: Pick<Deps['fleet'], 'self' | 'heardFrom'>,
  now: Date,
): NodeStatus {
  const heardAt = heardFrom(node.id)
  const ultimoRecadoS = heardAt === null ? null : Math.max(0, Math.round((now.getTime() - heardAt.getTime()) / 1_000))
  return { ...node, ultimoRecadoS, este: node.id === self }
}

function backupsView({ hours, keep, encrypted, running, failedAt, nextAt }: BackupStatus): SistemaAdmin['copias'] {
  return {
    horas: hours,
    manter: keep,
    cifrada: encrypted,
    emAndamento: running,
    falhouEm: failedAt?.toISOString() ?? null,
    proxima: nextAt.toISOString(),
  }
}

async function readDisk(folder: string): Promise<SistemaAdmin['disco']> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { livreBytes: bavail * bsize, totalBytes: blocks * bsize }
}

const PACKAGES_DIR = join(import.meta.dirname, '..', '..', '..', '..', '..', 'node_modules')

export interface InstalledLibrary {
  readonly nome: string
  readonly versao: string
}

/** Installed versions of connector libraries, not the ranges of `package.json`. A missing library is omitted. */
export function readConnectorVersions(): InstalledLibrary[] {
  return Object.values(CONNECTORS).flatMap(({ library: nome }) => {
    if (nome === null) return []
    try {
      const parsed: unknown = JSON.parse(readFileSync(join(PACKAGES_DIR, nome, 'package.json'), 'utf8'))
      return [{ nome, versao: z.object({ version: z.string() }).parse(parsed).version }]
    } catch {
      return []
    }
  })
}
