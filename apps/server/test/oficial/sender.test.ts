import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOficial } from '#adapters/oficial/connection.ts'
import { createIds } from '#ids.ts'
import { SendRefused } from '@balcao/connector/errors'
import type { Connector, OutboundMessage } from '@balcao/connector/port'
import { createRecordingHost } from '#test/navegador/recording-host.ts'
import { createFakeMeta, type FakeMeta } from './fake-meta.ts'

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
    payments: {
      readUnpaidSince: async () => null,
      setUnpaidSince: async () => undefined,
      isAutomatic: async () => false,
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
const said = (): unknown[] => meta.messages.map(({ text }) => text?.body)

describe('sending a message', () => {
  it('sends once when the queue retries during a running send', async () => {
    const slow = mensagem('bom dia')
    await Promise.all([conector.send(slow), conector.send(slow)])
    await conector.send(slow)
    expect(said()).toEqual(['bom dia'])
  })

  it('sends choices as Meta takes them, and as text when it would refuse them', async () => {
    const choicesFor = async (...titulos: string[]): Promise<object | undefined> => {
      const escolhas = titulos.map((titulo, index) => ({ id: String(index + 1), titulo }))
      await conector.send(mensagem('Escolha', { escolhas }))
      return meta.messages.pop()?.interactive
    }
    const cake = 'Bolo de cenoura com chocolate'
    expect(await choicesFor('*Sim*', ' Não,  agora ')).toMatchObject({
      action: { buttons: [{ reply: { title: 'Sim' } }, { reply: { title: 'Não, agora' } }] },
    })
    // Equal when cut: Meta refuses such buttons.
    expect(await choicesFor(`${cake} branco`, `${cake} preto`)).toMatchObject({
      type: 'list',
      action: { sections: [{ rows: [{ title: 'Bolo de cenoura com choc', description: `${cake} branco` }, {}] }] },
    })
    expect(await choicesFor(`Bolos para a família👨‍👩‍👧`)).toMatchObject({
      action: { buttons: [{ reply: { title: 'Bolos para a família' } }] },
    })
    expect(await choicesFor('Sim', '**')).toBeUndefined()
  })

  it('refuses an empty message whose file is missing', async () => {
    const midia = { tipo: 'imagem', url: '/outra' } as const
    await expect(conector.send(mensagem('', { midia }))).rejects.toBeInstanceOf(SendRefused)
    await conector.send(mensagem('sem foto', { midia }))
    expect(said()).toEqual(['bom dia', 'sem foto'])
  })
})
