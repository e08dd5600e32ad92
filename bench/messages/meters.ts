import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TICKS_PER_S = 100

interface ProcessStat {
  readonly parentPid: number
  readonly cpuS: number
  readonly childrenS: number
}

function readProcessStat(pid: string): ProcessStat | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    const numero = (index: number): number => Number(fields[index])
    return {
      parentPid: numero(1),
      cpuS: (numero(11) + numero(12)) / TICKS_PER_S,
      childrenS: (numero(13) + numero(14)) / TICKS_PER_S,
    }
  } catch {
    return null
  }
}

/** CPU seconds of the whole database server so far: the postmaster, its children and finished children. */
function postgresCpuS(dataDir: string): number {
  const pid = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0] ?? ''
  const postmaster = readProcessStat(pid)
  let total = (postmaster?.cpuS ?? 0) + (postmaster?.childrenS ?? 0)
  for (const child of readdirSync('/proc')) {
    if (!/^\d+$/.test(child)) continue
    const parsed = readProcessStat(child)
    if (parsed?.parentPid === Number(pid)) total += parsed.cpuS
  }
  return total
}

/** CPU seconds of a process so far, without its children. */
export function processCpuS(pid: number | undefined): number {
  return readProcessStat(String(pid))?.cpuS ?? 0
}

export interface CpuUse {
  readonly nodeS: number
  readonly postgresS: number
}

export function meterCpu(dataDir: string): () => CpuUse {
  const node = process.cpuUsage()
  const postgres = postgresCpuS(dataDir)
  return () => {
    const { user, system } = process.cpuUsage(node)
    return { nodeS: (user + system) / 1e6, postgresS: postgresCpuS(dataDir) - postgres }
  }
}

export function percentile(values: readonly number[], p: number): number {
  const order = values.toSorted((a, b) => a - b)
  return order[Math.min(order.length - 1, Math.floor((p / 100) * order.length))] ?? 0
}

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
