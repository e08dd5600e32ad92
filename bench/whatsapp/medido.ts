import { fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakePhone, createFakePhone, createFakeServer, type FakeServer } from '@balcao/whatsapp/rede-falsa'
import { type Measurement, type MeasuredCommand, reportSchema } from './ordens.ts'

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
  const pasta = await mkdtemp(join(tmpdir(), 'balcao-bench-'))
  const celulares: FakePhone[] = []
  const eventos = new EventEmitter<MeasuredEvents>()
  eventos.setMaxListeners(0)
  const processo = fork(join(import.meta.dirname, 'sessoes.ts'), [servidor.url, join(pasta, 'chaves.db')], {
    stdio: 'inherit',
  })
  let fechando = false
  processo.once('exit', (codigo) => {
    // Without the child no request would ever be answered.
    if (!fechando) process.exit(codigo ?? 1)
  })
  const mandar = (ordem: MeasuredCommand): void => void processo.send(ordem)

  processo.on('message', (bruta) => {
    const relato = reportSchema.parse(bruta)
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

  const abrirem = (quantas: number): Promise<void> =>
    new Promise((resolve) => {
      const abertas = new Set<number>()
      const contar = (n: number): void => {
        abertas.add(n)
        if (abertas.size < quantas) return
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
      const inicio = performance.now()
      const aberta = abrirem(1)
      mandar({ faz: 'parear' })
      await aberta
      return performance.now() - inicio
    },
    reopen: async () => {
      const fechadas = once(eventos, 'fechadas')
      mandar({ faz: 'fechar' })
      await fechadas
      const inicio = performance.now()
      const abertas = abrirem(celulares.length)
      mandar({ faz: 'reabrir' })
      await abertas
      return performance.now() - inicio
    },
    measure: async (como) => {
      const medida = new Promise<Measurement>((resolve) => eventos.once('medida', resolve))
      mandar({ faz: como === 'assim' ? 'medirAssim' : 'medir' })
      return medida
    },
    close: async () => {
      fechando = true
      const saiu = once(processo, 'exit')
      processo.kill('SIGKILL')
      await saiu
      await servidor.close()
      await rm(pasta, { recursive: true, force: true })
    },
  }
}
