import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TIQUES_POR_S = 100

interface Stat {
  readonly pai: number
  readonly cpuS: number
  readonly filhosS: number
}

function stat(pid: string): Stat | null {
  try {
    const linha = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const campos = linha.slice(linha.lastIndexOf(')') + 2).split(' ')
    const numero = (indice: number): number => Number(campos[indice])
    return {
      pai: numero(1),
      cpuS: (numero(11) + numero(12)) / TIQUES_POR_S,
      filhosS: (numero(13) + numero(14)) / TIQUES_POR_S,
    }
  } catch {
    return null
  }
}

/** CPU seconds of the whole database server so far: the postmaster, its children and finished children. */
function postgresCpuS(dataDir: string): number {
  const pid = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0] ?? ''
  const postmaster = stat(pid)
  let total = (postmaster?.cpuS ?? 0) + (postmaster?.filhosS ?? 0)
  for (const filho of readdirSync('/proc')) {
    if (!/^\d+$/.test(filho)) continue
    const lido = stat(filho)
    if (lido?.pai === Number(pid)) total += lido.cpuS
  }
  return total
}

export interface Cpu {
  readonly nodeS: number
  readonly postgresS: number
}

export function medirCpu(dataDir: string): () => Cpu {
  const node = process.cpuUsage()
  const postgres = postgresCpuS(dataDir)
  return () => {
    const { user, system } = process.cpuUsage(node)
    return { nodeS: (user + system) / 1e6, postgresS: postgresCpuS(dataDir) - postgres }
  }
}

export function percentil(valores: readonly number[], p: number): number {
  const ordem = valores.toSorted((a, b) => a - b)
  return ordem[Math.min(ordem.length - 1, Math.floor((p / 100) * ordem.length))] ?? 0
}

export function mediana(valores: readonly number[]): number {
  return percentil(valores, 50)
}
