import * as z from 'zod/mini'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lacunaSchema } from '@balcao/contract/entities/lacuna'
import { waitUntil } from '#test/app.ts'
import { customerSays, givenConta, givenOperador } from '#test/builders.ts'
import { createIaApp, type IaApp } from './ia-app.ts'

let app: IaApp
let phones = 0
const newPhone = (): string => `55119550${String((phones += 1)).padStart(5, '0')}`

/** A customer asks in the menu, where the bot does not understand it. */
async function asks(...texts: readonly string[]): Promise<string> {
  const telefone = newPhone()
  await customerSays(app.app, telefone, 'oi', ...texts)
  await waitUntil(async () => (await app.app.sql('select from saida')).length === 0)
  return telefone
}

const listSchema = z.object({ lacunas: z.array(lacunaSchema), analisadas: z.int() })
const list = async (query = '', request = app.request) =>
  listSchema.parse((await request('GET', `/ia/lacunas${query}`)).body)

beforeAll(async () => {
  app = await createIaApp()
  await app.saveConfig((config) => ({
    ...config,
    ia: {
      ...config.ia,
      gatilhos: [],
      comportamentos: { ...config.ia.comportamentos, sempreResponder: false },
    },
  }))
})
afterAll(() => app.close())

describe('GET /ia/lacunas', () => {
  it('starts empty', async () => {
    expect(await list()).toEqual({ lacunas: [], analisadas: 0 })
  })

  it('groups texts that the bot did not understand, with people and masks', async () => {
    await asks('vocês parcelam no cartão?')
    await asks('dá pra parcelar em 3x?', 'parcela no boleto?', '77')
    expect((await list()).lacunas).toEqual([])
    await asks('parcelan? meu cpf é 529.982.247-25', 'obrigado', 'atendente')
    const { lacunas, analisadas } = await list()
    expect(lacunas).toMatchObject([{ pessoas: 3, mensagens: 4, transferencias: 1 }])
    expect(lacunas[0]?.exemplos).toContain('parcelan? meu cpf é [CPF oculto]')
    expect(lacunas[0]?.exemplos).toContain(lacunas[0]?.rotulo)
    expect(analisadas).toBeGreaterThanOrEqual(5)
  })

  it('reads first words after a hand-off and failed answers of the AI', async () => {
    app.fake.answerAlways(() => ({ tipo: 'erro', status: 500 }))
    await asks('atendente', 'vocês consertam celular?', 'alô')
    await asks('atendente', 'conserto de celular')
    const telefone = newPhone()
    await customerSays(app.app, telefone, 'oi', '2', 'conserta iphone?')
    await waitUntil(async () => (await app.app.sql(`select from mensagens where lacuna = 'naoEntendi'`)).length === 1)
    const { lacunas } = await list('?dias=1')
    expect(lacunas).toContainEqual(
      expect.objectContaining({
        pessoas: 3,
        transferencias: 2,
        exemplos: expect.arrayContaining(['conserta iphone?']),
      }),
    )
    app.fake.reset()
  })

  it('hides the names of contatos', async () => {
    await app.app.request('POST', '/contatos', { nome: 'Genoveva Prado', telefone: '11912340000' })
    await asks('a Genoveva disse que tem estacionamento')
    await asks('tem estacionamento?')
    await asks('estacionamento da genoveva é pago?')
    const { lacunas } = await list()
    const texts = JSON.stringify(lacunas)
    expect(texts).toContain('[nome oculto]')
    expect(texts).not.toMatch(/genoveva/i)
  })

  it('belongs to one account and needs the component', async () => {
    const other = await givenConta(app.app, 'Loja sem perguntas')
    expect((await list('', other.request)).lacunas).toEqual([])
    const [{ id } = { id: '' }] = (await list()).lacunas
    expect((await other.request('POST', `/ia/lacunas/${id}/ignorar`)).status).toBe(404)
    const operador = await givenOperador(app.app, other, { nome: 'Otto' })
    expect((await operador.request('GET', '/ia/lacunas')).status).toBe(403)
    expect((await app.request('GET', '/ia/lacunas?dias=91')).status).toBe(400)
  })
})

describe('POST /ia/lacunas/:id/ignorar', () => {
  it('keeps a gap out of the list when more people ask', async () => {
    const before = (await list()).lacunas
    const gap = before.find(({ exemplos }) => exemplos.some((text) => text.includes('parcel')))
    expect(await app.request('POST', `/ia/lacunas/${gap?.id ?? ''}/ignorar`)).toMatchObject({ status: 204 })
    expect((await app.request('POST', `/ia/lacunas/${gap?.id ?? ''}/ignorar`)).status).toBe(204)
    await asks('parcelamento, como é?')
    await asks('parcelas sem juros')
    const after = (await list()).lacunas
    expect(after.map(({ id }) => id).toSorted()).toEqual(
      before.flatMap(({ id }) => (id === gap?.id ? [] : [id])).toSorted(),
    )
    expect((await app.request('POST', '/ia/lacunas/0123456789abcdef/ignorar')).status).toBe(404)
    expect((await app.request('POST', '/ia/lacunas/x/ignorar')).status).toBe(400)
  })
})
