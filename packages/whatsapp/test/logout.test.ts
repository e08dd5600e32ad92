import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestBench, type TestBench } from './bench.ts'
import { eventually } from './eventually.ts'
import { childOf } from './rede-falsa/stanza.ts'

let bench: TestBench

beforeEach(async () => {
  bench = await createTestBench()
})
afterEach(() => bench.close())

describe('Connection: logout', () => {
  it('unlinks the device on logout', async () => {
    const { connector } = await bench.pair()
    const left = once(bench.server.events, 'saiu')
    await connector.logout()
    await left
    expect(bench.phone.devices.get(1)?.revoked).toBe(true)
  })

  it('unlinks the device over another connection when the open one breaks', async () => {
    const { server, phone } = bench
    const { connector } = await bench.pair()
    let lost = 0
    server.faults.loseStanza = (stanza) => {
      if (lost > 0 || childOf(stanza)?.tag !== 'remove-companion-device') return false
      lost += 1
      server.cutAll()
      return true
    }
    await connector.logout()
    expect(lost).toBe(1)
    expect(phone.devices.get(1)?.revoked).toBe(true)
    expect(bench.errors).toEqual([])
  })

  it('unlinks the device on logout of a stopped or disconnected session', async () => {
    const { phone, server, disk } = bench
    const first = await bench.pair()
    await first.connector.stop()
    const chaves = new Map(disk.keys)
    await bench.ana.say(phone, 'tem alguém?')
    await bench.startProcess().connector.logout()
    expect(phone.devices.get(1)?.revoked).toBe(true)
    expect([disk.keys, disk.received]).toEqual([chaves, []])
    disk.credentials = null
    const { connector, host } = await bench.pair({}, { delays: () => 600_000 })
    server.cutAll()
    await eventually(() => expect(host.states.at(-1)?.tipo).toBe('reconectando'))
    await connector.logout()
    expect(phone.devices.get(2)?.revoked).toBe(true)
    expect(bench.errors).toEqual([])
  })
})
