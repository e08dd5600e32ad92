import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOficial } from '#adapters/oficial/oficial.ts'
import { createIds } from '#ids.ts'
import { type Connector, SendRefused, type OutboundMessage } from '#ports/messaging.ts'
import { createRecordingHost } from '#test/navegador/hospede.ts'
import { createFakeMeta, type FakeMeta } from './meta-falsa.ts'

let meta: FakeMeta
let conector: Connector
beforeAll(async () => {
  meta = await createFakeMeta()
  const { factory } = createOficial({
    baseUrl: meta.url,
    log: pino({ level: 'silent' }),
    journal: {
      findNumber: async () => ({ ...meta.number, token: meta.token ?? '' }),
      listEntries: async () => [],
      completeEntry: async () => undefined,
      subscribe: () => () => undefined,
    },
  })
  conector = factory(createRecordingHost().host)
  await conector.start()
})
afterAll(async () => {
  await conector.stop()
  await meta.close()
})

const ids = createIds({ now: () => new Date() })
const mensagem = (texto: string, mais: Partial<OutboundMessage> = {}): OutboundMessage => ({
  ...{ idExterno: ids.uuid(), endereco: '5511930009999', texto },
  ...mais,
})
const ditas = (): unknown[] => meta.messages.map(({ text }) => text?.body)

describe('sending a message', () => {
  it('sends once when the queue retries during a running send', async () => {
    const lenta = mensagem('bom dia')
    await Promise.all([conector.send(lenta), conector.send(lenta)])
    await conector.send(lenta)
    expect(ditas()).toEqual(['bom dia'])
  })

  it('refuses an empty message whose file is missing', async () => {
    const midia = { tipo: 'imagem', url: '/outra' } as const
    await expect(conector.send(mensagem('', { midia }))).rejects.toBeInstanceOf(SendRefused)
    await conector.send(mensagem('sem foto', { midia }))
    expect(ditas()).toEqual(['bom dia', 'sem foto'])
  })
})
