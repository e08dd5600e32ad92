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
  readonly measure: (como?: 'assim') => Promise<Measurement>
  readonly close: () => Promise<void>
}

interface MeasuredEvents {
  aberta: [number]
  fechadas: []
  medida: [Measurement]
  pronto: []
}

export async function createMeasuredProcess(): Promise<MeasuredProcess> {
  const servidor = await createFakeServer()
  const folder = await mkdtemp(join(tmpdir(), 'balcao-bench-'))
  const celulares: FakePhone[] = []
  const eventos = new EventEmitter<MeasuredEvents>()
  eventos.setMaxListeners(0)
  const processo = fork(join(import.meta.dirname, 'sessions.ts'), [servidor.url, join(folder, 'chaves.db')], {
    stdio: 'inherit',
  })
  let closing = false
  processo.once('exit', (code) => {
    // Without the child no request would ever be answered.
    if (!closing) process.exit(code ?? 1)
  })
  const mandar = (order: MeasuredCommand): void => void processo.send(order)

  processo.on('message', (raw) => {
    const relato = reportSchema.parse(raw)
    switch (relato.tipo) {
      case 'codigo':
        celulares[relato.n]?.scan(relato.qrCode).catch(() => undefined)
        return
      case 'aberta':
        return void eventos.emit('aberta', relato.n)
      case 'medida':
        return void eventos.emit('medida', relato)
      case 'fechadas':
        return void eventos.emit('fechadas')
      case 'pronto':
        return void eventos.emit('pronto')
      default:
        return relato satisfies never
    }
  })
  await once(eventos, 'pronto')

  const abrirem = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const open = new Set<number>()
      const contar = (n: number): void => {
        open.add(n)
        if (open.size < count) return
        eventos.off('aberta', contar)
        resolve()
      }
      eventos.on('aberta', contar)
    })

  return {
    server: servidor,
    phones: celulares,
    pair: async () => {
      const n = String(celulares.length).padStart(4, '0')
      celulares.push(createFakePhone(servidor, { numero: `551199000${n}`, lid: `10000000000${n}`, nome: `Loja ${n}` }))
      const start = performance.now()
      const aberta = abrirem(1)
      mandar({ faz: 'parear' })
      await aberta
      return performance.now() - start
    },
    reopen: async () => {
      const fechadas = once(eventos, 'fechadas')
      mandar({ faz: 'fechar' })
      await fechadas
      const start = performance.now()
      const open = abrirem(celulares.length)
      mandar({ faz: 'reabrir' })
      await open
      return performance.now() - start
    },
    measure: async (como) => {
      const medida = new Promise<Measurement>((resolve) => eventos.once('medida', resolve))
      mandar({ faz: como === 'assim' ? 'medirAssim' : 'medir' })
      return medida
    },
    close: async () => {
      closing = true
      const left = once(processo, 'exit')
      processo.kill('SIGKILL')
      await left
      await servidor.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
