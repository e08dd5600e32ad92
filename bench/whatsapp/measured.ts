import { fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakePhone, createFakePhone, createFakeServer, type FakeServer } from '@balcao/whatsapp/rede-falsa'
import { type Measurement, type MeasuredCommand, reportSchema } from './commands.ts'

export interface MeasuredProcess {
  readonly server: FakeServer
  readonly phones: readonly FakePhone[]
  /** Pairs one more session. Resolves with the milliseconds from its start until it is open. */
  readonly pair: () => Promise<number>
  /** Closes all sessions and opens them at the same time. Resolves with the milliseconds until the last is open. */
  readonly reopen: () => Promise<number>
  /** Measures after a garbage collection; with `assim`, without one. */
  readonly measure: (mode?: 'assim') => Promise<Measurement>
  readonly close: () => Promise<void>
}

interface MeasuredEvents {
  aberta: [number]
  fechadas: []
  medida: [Measurement]
  pronto: []
}

export async function createMeasuredProcess(): Promise<MeasuredProcess> {
  const server = await createFakeServer()
  const folder = await mkdtemp(join(tmpdir(), 'balcao-bench-'))
  const phones: FakePhone[] = []
  const child = startChild([server.url, join(folder, 'chaves.db')], phones)
  await once(child.events, 'pronto')

  return {
    server,
    phones,
    pair: async () => {
      const n = String(phones.length).padStart(4, '0')
      phones.push(createFakePhone(server, { numero: `551199000${n}`, lid: `10000000000${n}`, nome: `Loja ${n}` }))
      const start = performance.now()
      const open = waitForOpen(child.events, 1)
      child.send({ faz: 'parear' })
      await open
      return performance.now() - start
    },
    reopen: async () => {
      const closed = once(child.events, 'fechadas')
      child.send({ faz: 'fechar' })
      await closed
      const start = performance.now()
      const open = waitForOpen(child.events, phones.length)
      child.send({ faz: 'reabrir' })
      await open
      return performance.now() - start
    },
    measure: async (mode) => {
      const measurement = new Promise<Measurement>((resolve) => child.events.once('medida', resolve))
      child.send({ faz: mode === 'assim' ? 'medirAssim' : 'medir' })
      return measurement
    },
    close: async () => {
      await child.end()
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Child {
  readonly events: EventEmitter<MeasuredEvents>
  readonly send: (command: MeasuredCommand) => void
  readonly end: () => Promise<void>
}

/** Starts the measured process. Its phone scans each QR code that the process reports. */
function startChild(args: readonly string[], phones: readonly FakePhone[]): Child {
  const events = new EventEmitter<MeasuredEvents>()
  events.setMaxListeners(0)
  const child = fork(join(import.meta.dirname, 'sessions.ts'), args, { stdio: 'inherit' })
  let closing = false
  child.once('exit', (code) => {
    // Without the child no request would ever be answered.
    if (!closing) process.exit(code ?? 1)
  })
  child.on('message', (raw) => {
    const report = reportSchema.parse(raw)
    switch (report.tipo) {
      case 'codigo':
        phones[report.n]?.scan(report.qrCode).catch(() => undefined)
        return
      case 'aberta':
        return void events.emit('aberta', report.n)
      case 'medida':
        return void events.emit('medida', report)
      case 'fechadas':
        return void events.emit('fechadas')
      case 'pronto':
        return void events.emit('pronto')
      default:
        return report satisfies never
    }
  })
  return {
    events,
    send: (command) => void child.send(command),
    end: async () => {
      closing = true
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}

function waitForOpen(events: EventEmitter<MeasuredEvents>, count: number): Promise<void> {
  return new Promise((resolve) => {
    const open = new Set<number>()
    const onOpen = (n: number): void => {
      open.add(n)
      if (open.size < count) return
      events.off('aberta', onOpen)
      resolve()
    }
    events.on('aberta', onOpen)
  })
}
