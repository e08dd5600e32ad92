import { setTimeout as espera } from 'node:timers/promises'
import { createTestHost, createWhatsapp, newDisk, newMessage, type TestHost } from '@balcao/whatsapp/rede-falsa'
import type { SoakFaults } from './faults.ts'

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
  const queues = new Map<string, Reply[]>()
  const andando = new Set<Promise<void>>()
  let aberta = true

  const tropecar = async (qual: 'read' | 'write' | 'message'): Promise<void> => {
    if (faults.happens('slow store', 20)) await espera(50)
    if (faults.happens(`store failed on a ${qual}`, 120)) throw new Error('store failed')
  }

  /** Sends the queue in order. A failed message is repeated under the same id before the next one. */
  const dispatch = async (address: string, queue: Reply[]): Promise<void> => {
    for (let [first] = queue; aberta && first !== undefined; [first] = queue) {
      await life.conector.send(first).then(
        () => queue.shift(),
        () => espera(20),
      )
    }
    queues.delete(address)
  }

  const reply = (address: string, id: string): void => {
    const resposta = newMessage(address, `re: ${id}`)
    disco.sent.push(resposta)
    const queue = queues.get(address)
    if (queue !== undefined) return void queue.push(resposta)
    const fresh = [resposta]
    queues.set(address, fresh)
    const batch = dispatch(address, fresh)
    andando.add(batch)
    void batch.finally(() => andando.delete(batch))
  }

  const create = createWhatsapp({ url, logFailure: () => undefined, delays: () => 50, ackMs: 2_000 })

  const live = () => {
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
        if (disco.received.includes(recebida)) reply(recebida.endereco, recebida.id)
      },
    }
    return { host, conector: create(host) }
  }
  let life = live()

  return {
    disk: disco,
    host: () => life.host,
    open: () => life.conector.start(),
    restart: async () => {
      await life.conector.stop()
      life = live()
      await life.conector.start()
    },
    close: async () => {
      aberta = false
      await Promise.all(andando)
      await life.conector.stop()
    },
  }
}
