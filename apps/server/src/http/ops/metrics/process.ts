import { cpus, loadavg } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, type Registry } from 'prom-client'

const CPU_SAMPLE_MS = 5_000

export function readProcess(): Record<string, number> {
  return {
    process_resident_memory_bytes: process.memoryUsage.rss(),
    process_uptime_seconds: process.uptime(),
    process_start_time_seconds: performance.timeOrigin / 1_000,
  }
}

export function countCpuTime(registers: Registry[]): void {
  const name = 'process_cpu_seconds_total'
  new Counter({
    ...{ name, help: 'Processor time of this process, user and system', registers },
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1_000_000)
    },
  })
}

/** Delay of the event loop since the last reading. */
export function watchEventLoop(): { readonly read: () => Record<string, number>; readonly close: () => void } {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const seconds = (nano: number): number => (Number.isFinite(nano) ? nano / 1e9 : 0)
  return {
    read: () => {
      const gauges = {
        balcao_event_loop_lag_seconds: seconds(delay.mean),
        balcao_event_loop_lag_p99_seconds: seconds(delay.percentile(99)),
        balcao_event_loop_lag_max_seconds: seconds(delay.max),
      }
      delay.reset()
      return gauges
    },
    close: () => void delay.disable(),
  }
}

export function watchCpu(): { readonly percent: () => number; readonly close: () => void } {
  let before = cpuTimes()
  let busy = Math.min(1, (loadavg()[0] ?? 0) / cpus().length)
  const timer = setInterval(() => {
    const now = cpuTimes()
    const total = now.total - before.total
    if (total > 0) busy = 1 - (now.idle - before.idle) / total
    before = now
  }, CPU_SAMPLE_MS).unref()
  return { percent: () => Math.min(100, Math.max(0, busy * 100)), close: () => clearInterval(timer) }
}

function cpuTimes(): { readonly total: number; readonly idle: number } {
  let total = 0
  let idle = 0
  for (const { times } of cpus()) {
    total += times.user + times.nice + times.sys + times.idle + times.irq
    idle += times.idle
  }
  return { total, idle }
}
