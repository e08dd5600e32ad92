import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestBench, createTestBench } from './bench.ts'
import { eventually } from './eventually.ts'

let bench: TestBench

beforeEach(async () => {
  bench = await createTestBench()
})
afterEach(() => bench.close())

const pendentes = (): number =>
  [...bench.phone.devices.values()].reduce((sum, device) => sum + device.pending.length, 0)
const arrived = (count: number) => eventually(() => expect(bench.disk.received).toHaveLength(count))

describe('Calls', () => {
  it('reports a missed call once with its own id and ignores an answered call', async () => {
    const { ana, phone, disk } = bench
    await bench.pair()
    ana.endCall(phone, ana.call(phone), 'accepted_elsewhere')
    const id = ana.call(phone)
    ana.call(phone, { id })
    ana.endCall(phone, id)
    ana.endCall(phone, ana.call(phone, { video: true }), 'timeout')
    await arrived(2)
    expect(disk.received).toMatchObject([
      {
        ...{ id: `ligacao:${id}`, ligacao: 'voz', texto: 'Ligação perdida', deMim: false },
        ...{ endereco: '200000000000001@lid', telefone: '5511987654321' },
        outrosEnderecos: ['5511987654321@s.whatsapp.net'],
      },
      { ligacao: 'video', texto: 'Ligação de vídeo perdida' },
    ])
    await eventually(() => expect([disk.entries.size, pendentes()]).toEqual([0, 0]))
  })

  it('reports a call without an end stanza after the ringing time', async () => {
    const { ana, phone } = bench
    await bench.pair({}, { ringMs: 20 })
    ana.call(phone)
    await arrived(1)
  })

  it('reports a ringing call after a restart', async () => {
    const { ana, phone, disk } = bench
    const first = await bench.pair()
    const id = ana.call(phone)
    await eventually(() => expect([disk.entries.size, pendentes()]).toEqual([1, 0]))
    await first.connector.stop()
    expect(disk.received).toEqual([])
    const second = bench.startProcess()
    await second.connector.start()
    await second.host.reached('conectado')
    ana.endCall(phone, id)
    await arrived(1)
    await ana.say(phone, 'ligo depois')
    await arrived(2)
    expect(disk.received.map(({ texto }) => texto)).toEqual(['Ligação perdida', 'ligo depois'])
  })

  it('does not report an answered call when the store fails', async () => {
    const { ana, phone, disk, server } = bench
    let failed = false
    await bench.pair({
      beforeCompleteEntry: () => {
        if (failed) return
        failed = true
        throw new Error('database down')
      },
    })
    ana.endCall(phone, ana.call(phone), 'accepted_elsewhere')
    await eventually(() => expect(failed).toBe(true))
    // The stanza was not acknowledged, so the server repeats it on the next connection.
    server.cutAll()
    await eventually(() => expect([disk.entries.size, pendentes()]).toEqual([0, 0]))
    expect(disk.received).toEqual([])
  })

  it('does not acknowledge a call that could not be stored, and stores its repetition', async () => {
    const { ana, phone, server, disk } = bench
    let full = true
    await bench.pair({
      beforeWrite: (arrivals) => {
        if (full && arrivals.length > 0) throw new Error('disk full')
      },
    })
    const id = ana.call(phone)
    await ana.say(phone, 'oi')
    // The failed message closed the connection, so call and message wait at the server.
    full = false
    server.cutAll()
    await eventually(() => expect(disk.received.map(({ texto }) => texto)).toContain('oi'))
    await eventually(() => expect(disk.entries.has(`ligacao ${id}`)).toBe(true))
    ana.endCall(phone, id)
    await arrived(2)
  })
})
