import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Connector } from '@balcao/connector/port'
import { type TestBench, createTestBench, newMessage } from './bench.ts'
import { createFakeCustomer } from '#test/rede-falsa/customer.ts'
import { eventually, sendUntilConfirmed } from './eventually.ts'

let bench: TestBench

beforeEach(async () => {
  bench = await createTestBench()
})
afterEach(() => bench.close())

/** Sends one message, with the same id, until it is confirmed. */
function insistir(conector: Connector, address: string, texto: string): Promise<void> {
  const mensagem = newMessage(address, texto)
  return sendUntilConfirmed(() => conector.send(mensagem))
}

const lento = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

describe('Connection under faults', () => {
  it('loses, repeats and reorders nothing despite cut connections, store failures and lost acks', async () => {
    const { ana, phone, disk, server } = bench
    let ruim = true
    let steps = 0
    const fail = (cada: number): void => {
      steps += 1
      if (ruim && steps % cada === 0) throw new Error('store failed')
    }
    const ganchos = { beforeRead: async () => fail(17), beforeWrite: () => fail(11) }
    ruim = false
    const { connector } = await bench.pair(ganchos, { ackMs: 300 })
    ruim = true
    let acks = 0
    server.faults.loseAck = () => ruim && ++acks % 5 === 0

    const texts = Array.from({ length: 30 }, (_, n) => `mensagem ${n}`)
    const respostas = Promise.all(texts.map((texto) => insistir(connector, `${ana.lid}@lid`, `resposta a ${texto}`)))
    for (const [n, texto] of texts.entries()) {
      await ana.say(phone, texto)
      // Varies the moment of the cut over the whole handling of a message.
      await new Promise((resolve) => setTimeout(resolve, (n * 7) % 40))
      if (n % 2 === 0) phone.devices.get(1)?.connection?.cut()
    }
    ruim = false
    await eventually(() => expect(disk.received).toHaveLength(texts.length))
    expect(disk.received.map(({ texto }) => texto)).toEqual(texts)
    await respostas
    await eventually(() => expect(ana.received).toHaveLength(texts.length))
    expect(new Set(ana.received.map(({ text }) => text)).size).toBe(texts.length)
    await eventually(() => expect(disk.entries.size).toBe(0))
  }, 120_000)

  it('sends only readable answers to many customers on a slow store', async () => {
    const { phone, disk, server } = bench
    const { connector } = await bench.pair({ beforeRead: lento, beforeWrite: lento })
    const clientes = Array.from({ length: 8 }, (_, n) =>
      createFakeCustomer(server, { numero: `55119700000${n}`, lid: `30000000000${n}`, nome: `Cliente ${n}` }),
    )
    // If both sides start a session at the same time, Signal drops one and requests the message again. The test
    // avoids this case.
    for (const cliente of clientes) {
      await cliente.say(phone, 'oi')
      await eventually(() => expect(disk.received.at(-1)?.nome).toBe(cliente.nome))
      await insistir(connector, `${cliente.lid}@lid`, 'olá')
      await cliente.nth(1)
    }
    const conversas = clientes.map(async (cliente) => {
      for (let n = 0; n < 8; n += 1) {
        // Receives and sends on one ratchet at the same time, the case in which steps once overwrote each other.
        await Promise.all([
          cliente.say(phone, `${cliente.nome} ${n}`),
          insistir(connector, `${cliente.lid}@lid`, `${n}`),
        ])
      }
    })
    await Promise.all(conversas)
    await eventually(() => expect(disk.received).toHaveLength(72))
    for (const cliente of clientes) {
      await cliente.nth(9)
      expect(cliente.received.map(({ text }) => text)).toEqual(['olá', '0', '1', '2', '3', '4', '5', '6', '7'])
      expect(cliente.unreadable).toEqual([])
    }
  }, 120_000)

  it('sends no answer while a receive step of the same ratchet is being stored', async () => {
    const { ana, phone, disk, server } = bench
    const loose = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    let armed = false
    const { connector } = await bench.pair({
      beforeWrite: async (arrivals) => {
        if (!armed || arrivals.length === 0) return
        armed = false
        held.resolve()
        await loose.promise
      },
    })
    await ana.say(phone, 'oi')
    await eventually(() => expect(disk.received).toHaveLength(1))
    await connector.send(newMessage(`${ana.lid}@lid`, 'olá'))
    await ana.nth(1)

    let left = false
    server.events.on('enviada', () => (left = true))
    armed = true
    await ana.say(phone, 'tem rosas?')
    await held.promise
    const sent = connector.send(newMessage(`${ana.lid}@lid`, 'temos'))
    // Several times as many event loop turns as a whole send needs.
    for (let volta = 0; volta < 5_000 && !left; volta += 1) await new Promise((resolve) => setImmediate(resolve))
    loose.resolve()
    expect(left).toBe(false)
    await sent
    await eventually(() => expect(disk.received.at(-1)?.texto).toBe('tem rosas?'))
    expect(await ana.nth(2)).toMatchObject({ text: 'temos' })
    expect(ana.unreadable).toEqual([])
  })
})
