import { setTimeout as espera } from 'node:timers/promises'
import { type AnfitriaoDeTeste, createAnfitriao, novaMensagem, novoDisco } from '@balcao/whatsapp/rede-falsa'
import { createWhatsapp } from '@balcao/whatsapp/connector'
import type { Faltas } from './faltas.ts'

/** A shop that answers every message once, on a store that is sometimes slow and sometimes fails. */
export interface Loja {
  readonly disco: ReturnType<typeof novoDisco>
  readonly host: () => AnfitriaoDeTeste
  readonly abrir: () => Promise<void>
  readonly recomecar: () => Promise<void>
  readonly fechar: () => Promise<void>
}

type AEnviar = ReturnType<typeof novaMensagem>

export function createLoja(url: string, faltas: Faltas): Loja {
  const disco = novoDisco()
  const filas = new Map<string, AEnviar[]>()
  const andando = new Set<Promise<void>>()
  let aberta = true

  const tropecar = async (qual: 'read' | 'write' | 'message'): Promise<void> => {
    if (faltas.agora('slow store', 20)) await espera(50)
    if (faltas.agora(`store failed on a ${qual}`, 120)) throw new Error('store failed')
  }

  /** Sends the queue in order. A failed message is repeated under the same id before the next one. */
  const despachar = async (endereco: string, fila: AEnviar[]): Promise<void> => {
    for (let [primeira] = fila; aberta && primeira !== undefined; [primeira] = fila) {
      await vida.conector.send(primeira).then(
        () => fila.shift(),
        () => espera(20),
      )
    }
    filas.delete(endereco)
  }

  const responder = (endereco: string, id: string): void => {
    const resposta = novaMensagem(endereco, `re: ${id}`)
    disco.enviadas.push(resposta)
    const fila = filas.get(endereco)
    if (fila !== undefined) return void fila.push(resposta)
    const nova = [resposta]
    filas.set(endereco, nova)
    const lote = despachar(endereco, nova)
    andando.add(lote)
    void lote.finally(() => andando.delete(lote))
  }

  const criar = createWhatsapp({ url, registrar: () => undefined, esperas: () => 50, ackMs: 2_000 })

  const viver = () => {
    const base = createAnfitriao(disco, {
      antesDeLer: () => tropecar('read'),
      antesDeGravar: () => tropecar('write'),
      antesDeReceber: () => tropecar('message'),
    })
    const host: AnfitriaoDeTeste = {
      ...base,
      receber: async (recebida) => {
        await base.receber(recebida)
        // Stored and queued in one step, as the product does in one transaction.
        if (disco.recebidas.includes(recebida)) responder(recebida.endereco, recebida.id)
      },
    }
    return { host, conector: criar(host) }
  }
  let vida = viver()

  return {
    disco,
    host: () => vida.host,
    abrir: () => vida.conector.start(),
    recomecar: async () => {
      await vida.conector.stop()
      vida = viver()
      await vida.conector.start()
    },
    fechar: async () => {
      aberta = false
      await Promise.all(andando)
      await vida.conector.stop()
    },
  }
}
