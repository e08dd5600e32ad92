import { fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Celular, createCelular, createServidor, type ServidorFalso } from '@balcao/whatsapp/rede-falsa'
import { type Medida, type Ordem, relatoSchema } from './ordens.ts'

export interface Medido {
  readonly servidor: ServidorFalso
  readonly celulares: readonly Celular[]
  /** Pairs one more session. Resolves with the milliseconds from its start until it is open. */
  readonly parear: () => Promise<number>
  /** Closes all sessions and opens them at the same time. Resolves with the milliseconds until the last is open. */
  readonly reabrir: () => Promise<number>
  /** Measures after a garbage collection; with `assim`, without one. */
  readonly medir: (como?: 'assim') => Promise<Medida>
  readonly fechar: () => Promise<void>
}

interface Eventos {
  aberta: [number]
  fechadas: []
  medida: [Medida]
  pronto: []
}

export async function createMedido(): Promise<Medido> {
  const servidor = await createServidor()
  const pasta = await mkdtemp(join(tmpdir(), 'balcao-bench-'))
  const celulares: Celular[] = []
  const eventos = new EventEmitter<Eventos>()
  eventos.setMaxListeners(0)
  const processo = fork(join(import.meta.dirname, 'sessoes.ts'), [servidor.url, join(pasta, 'chaves.db')], {
    stdio: 'inherit',
  })
  let fechando = false
  processo.once('exit', (codigo) => {
    // Without the child no request would ever be answered.
    if (!fechando) process.exit(codigo ?? 1)
  })
  const mandar = (ordem: Ordem): void => void processo.send(ordem)

  processo.on('message', (bruta) => {
    const relato = relatoSchema.parse(bruta)
    switch (relato.tipo) {
      case 'codigo':
        celulares[relato.n]?.escanear(relato.qrCode).catch(() => undefined)
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
    servidor,
    celulares,
    parear: async () => {
      const n = String(celulares.length).padStart(4, '0')
      celulares.push(createCelular(servidor, { numero: `551199000${n}`, lid: `10000000000${n}`, nome: `Loja ${n}` }))
      const inicio = performance.now()
      const aberta = abrirem(1)
      mandar({ faz: 'parear' })
      await aberta
      return performance.now() - inicio
    },
    reabrir: async () => {
      const fechadas = once(eventos, 'fechadas')
      mandar({ faz: 'fechar' })
      await fechadas
      const inicio = performance.now()
      const abertas = abrirem(celulares.length)
      mandar({ faz: 'reabrir' })
      await abertas
      return performance.now() - inicio
    },
    medir: async (como) => {
      const medida = new Promise<Medida>((resolve) => eventos.once('medida', resolve))
      mandar({ faz: como === 'assim' ? 'medirAssim' : 'medir' })
      return medida
    },
    fechar: async () => {
      fechando = true
      const saiu = once(processo, 'exit')
      processo.kill('SIGKILL')
      await saiu
      await servidor.fechar()
      await rm(pasta, { recursive: true, force: true })
    },
  }
}
