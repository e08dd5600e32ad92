import { setTimeout as espera } from 'node:timers/promises'
import { type TestHost, createTestHost, newMessage, newDisk } from '@balcao/whatsapp/rede-falsa'
import { createWhatsapp } from '@balcao/whatsapp/connector'
import type { SoakFaults } from './faltas.ts'

/** A shop that answers every message once, on a store that is sometimes slow and sometimes fails. */
export interface SoakShop {
  readonly disk: ReturnType<typeof newDisk>
  readonly host: () => TestHost
  readonly open: () => Promise<void>
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
}

type Reply = ReturnType<typeof newMessage>

export function createSoakShop(url: string, faults: SoakFaults): SoakShop {
  const disco = newDisk()
  const filas = new Map<string, Reply[]>()
  const andando = new Set<Promise<void>>()
  let aberta = true

  const tropecar = async (qual: 'read' | 'write' | 'message'): Promise<void> => {
    if (faults.happens('slow store', 20)) await espera(50)
    if (faults.happens(`store failed on a ${qual}`, 120)) throw new Error('store failed')
  }

  /** Sends the queue in order. A failed message is repeated under the same id before the next one. */
  const despachar = async (endereco: string, fila: Reply[]): Promise<void> => {
    for (let [primeira] = fila; aberta && primeira !== undefined; [primeira] = fila) {
      await vida.conector.send(primeira).then(
        () => fila.shift(),
        () => espera(20),
      )
    }
    filas.delete(endereco)
  }

  const responder = (endereco: string, id: string): void => {
    const resposta = newMessage(endereco, `re: ${id}`)
    disco.sent.push(resposta)
    const fila = filas.get(endereco)
    if (fila !== undefined) return void fila.push(resposta)
    const nova = [resposta]
    filas.set(endereco, nova)
    const lote = despachar(endereco, nova)
    andando.add(lote)
    void lote.finally(() => andando.delete(lote))
  }

  const criar = createWhatsapp({ url, logFailure: () => undefined, delays: () => 50, ackMs: 2_000 })

  const viver = () => {
    const base = createTestHost(disco, {
      beforeRead: () => tropecar('read'),
      beforeWrite: () => tropecar('write'),
      beforeReceive: () => tropecar('message'),
    })
    const host: TestHost = {
      ...base,
      receive: async (recebida) => {
        await base.receive(recebida)
        // Stored and queued in one step, as the product does in one transaction.
        if (disco.received.includes(recebida)) responder(recebida.endereco, recebida.id)
      },
    }
    return { host, conector: criar(host) }
  }
  let vida = viver()

  return {
    disk: disco,
    host: () => vida.host,
    open: () => vida.conector.start(),
    restart: async () => {
      await vida.conector.stop()
      vida = viver()
      await vida.conector.start()
    },
    close: async () => {
      aberta = false
      await Promise.all(andando)
      await vida.conector.stop()
    },
  }
}
