import { setTimeout as sleep } from 'node:timers/promises'
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

interface Life {
  readonly host: TestHost
  readonly connector: ReturnType<ReturnType<typeof createWhatsapp>>
}

export function createSoakShop(url: string, faults: SoakFaults): SoakShop {
  const disk = newDisk()
  const outbox = createOutbox(disk, (reply) => life.connector.send(reply))
  const create = createWhatsapp({ url, logFailure: () => undefined, delays: () => 50, ackMs: 2_000 })

  const disturbStore = async (step: 'read' | 'write' | 'message'): Promise<void> => {
    if (faults.happens('slow store', 20)) await sleep(50)
    if (faults.happens(`store failed on a ${step}`, 120)) throw new Error('store failed')
  }
  const live = (): Life => {
    const base = createTestHost(disk, {
      beforeRead: () => disturbStore('read'),
      beforeWrite: () => disturbStore('write'),
      beforeReceive: () => disturbStore('message'),
    })
    const host: TestHost = {
      ...base,
      receive: async (received) => {
        await base.receive(received)
        // Stored and queued in one step, as the product does in one transaction.
        if (disk.received.includes(received)) outbox.reply(received.endereco, received.id)
      },
    }
    return { host, connector: create(host) }
  }
  let life = live()

  return {
    disk,
    host: () => life.host,
    open: () => life.connector.start(),
    restart: async () => {
      await life.connector.stop()
      life = live()
      await life.connector.start()
    },
    close: async () => {
      await outbox.close()
      await life.connector.stop()
    },
  }
}

interface SoakOutbox {
  readonly reply: (address: string, id: string) => void
  readonly close: () => Promise<void>
}

function createOutbox(disk: SoakShop['disk'], send: (reply: Reply) => Promise<unknown>): SoakOutbox {
  const queues = new Map<string, Reply[]>()
  const running = new Set<Promise<void>>()
  let open = true

  /** Sends the queue in order. A failed message is repeated under the same id before the next one. */
  const dispatch = async (address: string, queue: Reply[]): Promise<void> => {
    for (let [first] = queue; open && first !== undefined; [first] = queue) {
      await send(first).then(
        () => queue.shift(),
        () => sleep(20),
      )
    }
    queues.delete(address)
  }

  return {
    reply: (address, id) => {
      const reply = newMessage(address, `re: ${id}`)
      disk.sent.push(reply)
      const queue = queues.get(address)
      if (queue !== undefined) return void queue.push(reply)
      const fresh = [reply]
      queues.set(address, fresh)
      const batch = dispatch(address, fresh)
      running.add(batch)
      void batch.finally(() => running.delete(batch))
    },
    close: async () => {
      open = false
      await Promise.all(running)
    },
  }
}
