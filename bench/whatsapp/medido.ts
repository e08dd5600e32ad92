import { fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import { type Celular, createCelular, createServidor, type ServidorFalso } from '@balcao/whatsapp/rede-falsa'
import { type Medida, type Ordem, relatoSchema } from './ordens.ts'

/** A fake network here, and a process of its own with the sessions that are measured. */
export interface Medido {
  readonly servidor: ServidorFalso
  readonly celulares: readonly Celular[]
  /** Pairs one more session; how long from its start until it is open, in ms. */
  readonly parear: () => Promise<number>
  /** Closes every session and opens them all at once; ms until the last is open. */
  readonly reabrir: () => Promise<number>
  readonly medir: () => Promise<Medida>
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
  const celulares: Celular[] = []
  const eventos = new EventEmitter<Eventos>()
  eventos.setMaxListeners(0)
  const processo = fork(join(import.meta.dirname, 'sessoes.ts'), [servidor.url], { stdio: 'inherit' })
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
    medir: async () => {
      const medida = new Promise<Medida>((resolve) => eventos.once('medida', resolve))
      mandar({ faz: 'medir' })
      return medida
    },
    fechar: async () => {
      const saiu = once(processo, 'exit')
      processo.kill('SIGKILL')
      await saiu
      await servidor.fechar()
    },
  }
}
