import '#patches/index.ts'
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MissingMessages } from '#inbound/missing.ts'
import { createTestHost, newDisk } from './memory-host.ts'
import { type TestBench, createTestBench } from './bench.ts'
import { eventually } from './eventually.ts'

let bench: TestBench

beforeEach(async () => {
  bench = await createTestBench()
})
afterEach(() => bench.close())

const pendentes = (): number =>
  [...bench.phone.devices.values()].reduce((sum, device) => sum + device.pending.length, 0)
const texts = () => bench.disk.received.map(({ texto }) => texto)
const UMA_VEZ = 'Mensagem de visualização única. Abra o WhatsApp no celular para ver.'
const NAO_CHEGOU = 'Chegou uma mensagem que não pôde ser aberta aqui. Abra o WhatsApp no celular para ler.'

describe('MissingMessages: message without content', () => {
  it('reports a view-once message and replaces a late one by its content', async () => {
    const { ana, phone, disk } = bench
    await bench.pair()
    const unica = ana.sendWithoutContent(phone, 'view_once')
    await eventually(() => expect(texts()).toEqual([UMA_VEZ]))
    expect(disk.received[0]).toMatchObject({
      ...{ id: `ausente:${unica}`, telefone: '5511987654321', nome: 'Ana', deMim: false, midia: { tipo: 'outro' } },
      ...{ endereco: '200000000000001@lid', outrosEnderecos: ['5511987654321@s.whatsapp.net'] },
    })
    const atrasada = ana.sendWithoutContent(phone)
    await eventually(() => expect([disk.entries.size, pendentes()]).toEqual([1, 0]))
    await ana.say(phone, 'vi o anúncio', { id: atrasada })
    await eventually(() => expect(texts()).toEqual([UMA_VEZ, 'vi o anúncio']))
    await eventually(() => expect([disk.entries.size, pendentes()]).toEqual([0, 0]))
  })

  it('applies an earlier edit once the content arrives, and no change without content', async () => {
    const { ana, phone, disk } = bench
    const first = await bench.pair()
    const [vem, nunca] = [ana.sendWithoutContent(phone), ana.sendWithoutContent(phone)]
    await ana.edit(phone, vem, 'vi o anúncio hoje')
    await ana.deleteForAll(phone, nunca)
    await ana.say(phone, 'oi')
    await eventually(() => expect(texts()).toEqual(['oi']))
    expect(disk.changes).toEqual([])
    await ana.say(phone, 'vi o anúncio', { id: vem })
    await eventually(() => expect(disk.changes).toMatchObject([{ alvo: vem, mudanca: { texto: 'vi o anúncio hoje' } }]))
    await first.connector.stop()
    await bench.startProcess({}, { missingMs: 20 }).connector.start()
    await eventually(() => expect(texts()).toEqual(['oi', 'vi o anúncio', NAO_CHEGOU]))
    await eventually(() => expect([disk.entries.size, pendentes()]).toEqual([0, 0]))
    expect(disk.changes).toHaveLength(1)
  })

  it('reports the message after the wait', async () => {
    await bench.pair({}, { missingMs: 20 })
    bench.ana.sendWithoutContent(bench.phone)
    await eventually(() => expect(texts()).toEqual([NAO_CHEGOU]))
    await eventually(() => expect([bench.disk.entries.size, pendentes()]).toEqual([0, 0]))
  })

  it('reports a message and a call after a failed journal write', async () => {
    const { ana, phone, disk } = bench
    let failures = 1
    await bench.pair({
      beforeWrite: (arrivals) => {
        if (arrivals.length > 0 && failures-- > 0) throw new Error('disk full')
      },
    })
    ana.sendWithoutContent(phone, 'view_once')
    await eventually(() => expect(texts()).toEqual([UMA_VEZ]))
    failures = 1
    ana.endCall(phone, ana.call(phone))
    await eventually(() => expect(texts()).toEqual([UMA_VEZ, 'Ligação perdida']))
    await eventually(() => expect([disk.entries.size, pendentes()]).toEqual([0, 0]))
  })

  it('reports the message after a restart during the wait', async () => {
    const { ana, phone, disk } = bench
    const first = await bench.pair()
    ana.sendWithoutContent(phone)
    await eventually(() => expect([disk.entries.size, pendentes()]).toEqual([1, 0]))
    await first.connector.stop()
    expect(texts()).toEqual([])
    await bench.startProcess({}, { missingMs: 20 }).connector.start()
    await eventually(() => expect(texts()).toEqual([NAO_CHEGOU]))
  })
})

describe('MissingMessages', () => {
  it('does not count time without a connection towards the wait', async () => {
    const faltaram: string[] = []
    const session = new AbortController()
    const missing = new MissingMessages({
      ...{ keys: createTestHost(newDisk()).keys, ended: session.signal, waitMs: 0 },
      onMissing: ({ id }) => faltaram.push(id),
    })
    const stanza = { tag: 'message', attrs: { id: '3A', from: '1@lid' }, content: [{ tag: 'unavailable', attrs: {} }] }
    missing.setConnected(true)
    missing.setConnected(false)
    await missing.sawStanza(stanza)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(faltaram).toEqual([])
    missing.setConnected(true)
    await eventually(() => expect(faltaram).toEqual(['ausente 3A']))
    session.abort()
  })
})

describe('MissingMessages: repeated message after a restart', () => {
  it('does not report a message that an earlier process has read', async () => {
    const { ana, phone, server } = bench
    const first = await bench.pair()
    server.faults.loseStanza = ({ tag }) => tag === 'receipt'
    const id = await ana.say(phone, 'oi')
    await eventually(() => expect(texts()).toEqual(['oi']))
    await first.connector.stop()
    // The Signal keys for this message are already used up.
    const [device] = phone.devices.values()
    const pendente = device?.pending.find(({ attrs }) => attrs.id === id)
    if (pendente === undefined) throw new Error('no pending message')
    pendente.content = [{ tag: 'enc', attrs: { v: '2', type: 'msg' }, content: randomBytes(80) }]
    const concluidas: string[] = []
    const second = bench.startProcess({ beforeCompleteEntry: (qual) => void concluidas.push(qual) }, { missingMs: 20 })
    await second.connector.start()
    await eventually(() => expect(concluidas).toContain(`ausente ${id}`))
    expect(texts()).toEqual(['oi'])
  })
})

describe('personOf', () => {
  it('assigns messages typed on the phone to the customer, by number or LID', async () => {
    const { ana, phone, disk } = bench
    await bench.pair()
    await phone.write(ana, 'pelo número', 'numero')
    await phone.write(ana, 'pelo LID', 'lid')
    await phone.write(phone, 'nota para mim')
    await ana.say(phone, 'oi', { como: 'lid-oculto' })
    await eventually(() => expect(texts()).toEqual(['pelo número', 'pelo LID', 'oi']))
    const [numero, lid] = ['5511987654321@s.whatsapp.net', '200000000000001@lid']
    expect(disk.received).toMatchObject([
      { endereco: numero, outrosEnderecos: [lid], deMim: true },
      { endereco: lid, outrosEnderecos: [numero], deMim: true },
      { endereco: lid, outrosEnderecos: [numero], telefone: '5511987654321', deMim: false },
    ])
  })

  it('gives a business hosted by Meta the JID of its phone', async () => {
    const { ana, phone, disk } = bench
    await bench.pair()
    await ana.say(phone, 'sou uma loja', { como: 'numero', attrs: { from: '5511987654321:99@hosted' } })
    await eventually(() => expect(disk.received).toMatchObject([{ endereco: '5511987654321@s.whatsapp.net' }]))
  })
})
