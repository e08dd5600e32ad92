import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { conversaHumanaRoute } from '@balcao/contract/routes/atendimento'
import { type Answer, waitUntil } from '#test/app.ts'
import { type AtendimentoApp, type AtendimentoUser, createAtendimentoApp } from './atendimento-app.ts'

let shop: AtendimentoApp
beforeAll(async () => {
  shop = await createAtendimentoApp()
})
afterAll(() => shop.close())

const act = (user: AtendimentoUser, id: string, action: string, body?: unknown): Promise<Answer> =>
  user.act(id, action, body)
const undo = (user: AtendimentoUser, id: string): Promise<Answer> => user.act(id, 'desfazer')
async function conversaOf(user: AtendimentoUser, id: string): Promise<Conversa> {
  const { body } = await user.request('GET', `/atendimento/conversas/${id}`)
  return conversaHumanaRoute.response.parse(body).conversa
}
const REFUSED = { status: 409, body: { codigo: 'desfazerVencido' } }
const FINISH = { esperaSegundos: 30 }

describe('POST /atendimento/conversas/:id/finalizar', () => {
  /** The texts of the bot on the phone after the first call for a person. */
  const farewellOf = async (telefone: string): Promise<string[]> => {
    await shop.app.idle()
    const texts = await shop.textsOnPhone(telefone)
    return texts.slice(texts.findIndex((text) => text.includes('Protocolo:')) + 1)
  }
  const isDue = (id: string) =>
    shop.app.sql(`update despedidas set sair_em = now() - interval '1 second' where conversa_id = $1`, [id])
  const GOODBYE = expect.stringContaining('Obrigado')
  const QUESTION = expect.stringContaining('Como foi o seu atendimento?')

  it.each([
    ['farewell and question', {}, [GOODBYE, QUESTION]],
    ['the farewell', { semAvaliacao: true }, [GOODBYE]],
    ['nothing', { silencioso: true }, []],
    ['nothing after a wait', { silencioso: true, esperaSegundos: 1 }, []],
  ])('sends %s', async (_, body, texts) => {
    const { id, telefone } = await shop.newWaitingCustomer()
    expect(await act(shop.rui, id, 'finalizar', body)).toMatchObject({
      status: 200,
      body: { conversa: { status: 'finalizada' } },
    })
    await waitUntil(async () => (await farewellOf(telefone)).length === texts.length)
    expect(await farewellOf(telefone)).toEqual(texts)
    expect(await shop.app.sql('select 1 from despedidas where conversa_id = $1', [id])).toEqual([])
  })

  it.each([31, -1, 1.5])('refuses a wait of %s seconds', async (esperaSegundos) => {
    const { id } = await shop.newWaitingCustomer()
    expect((await act(shop.rui, id, 'finalizar', { esperaSegundos })).status).toBe(400)
  })

  it.each([
    [false, [GOODBYE, QUESTION]],
    [true, [GOODBYE]],
  ])('sends the farewell after the wait, once, with semAvaliacao %s', async (semAvaliacao, texts) => {
    const { id, telefone } = await shop.newWaitingCustomer()
    const began = Date.now()
    const answer = await act(shop.rui, id, 'finalizar', { semAvaliacao, esperaSegundos: 2 })
    expect(answer).toMatchObject({ status: 200, body: { conversa: { status: 'finalizada' } } })
    expect(await farewellOf(telefone)).toEqual([])
    await waitUntil(async () => (await farewellOf(telefone)).length > 0)
    expect(Date.now() - began).toBeGreaterThanOrEqual(2_000)
    await waitUntil(async () => (await farewellOf(telefone)).length === texts.length)
    expect(await farewellOf(telefone)).toEqual(texts)
    expect((await conversaOf(shop.dona, id)).mensagens.at(-1)?.texto).toEqual(texts.at(-1))
    expect(await undo(shop.rui, id)).toMatchObject(REFUSED)
  })

  it('keeps the farewell from the customer after an undo', async () => {
    const { id, telefone } = await shop.newWaitingCustomer()
    await act(shop.rui, id, 'finalizar', FINISH)
    expect((await undo(shop.rui, id)).status).toBe(200)
    expect(await shop.app.sql('select 1 from despedidas where conversa_id = $1', [id])).toEqual([])
    await shop.customerSays(telefone, 'mais uma coisa')
    await waitUntil(async () => (await conversaOf(shop.rui, id)).naoLidas === 2)
    expect(await farewellOf(telefone)).toEqual([])
  })

  it('takes back a silent end, which has no farewell', async () => {
    const { id } = await shop.newWaitingCustomer()
    await act(shop.rui, id, 'finalizar', { silencioso: true })
    expect(await undo(shop.rui, id)).toMatchObject({ status: 200, body: { conversa: { status: 'aguardando' } } })
  })

  it('sends no farewell to a customer who began again meanwhile', async () => {
    const { id, telefone } = await shop.newWaitingCustomer()
    await act(shop.rui, id, 'finalizar', FINISH)
    await shop.customerSays(telefone, 'quero falar de outra coisa')
    await waitUntil(async () => (await farewellOf(telefone)).length > 0)
    const answered = await farewellOf(telefone)
    expect(answered).not.toContainEqual(GOODBYE)
    expect(await undo(shop.rui, id)).toMatchObject(REFUSED)
    await isDue(id)
    await waitUntil(
      async () => (await shop.app.sql('select 1 from despedidas where conversa_id = $1', [id])).length === 0,
    )
    expect(await farewellOf(telefone)).toEqual(answered)
  })

  it('sends one farewell when the conversa is reopened and finished again', async () => {
    const { id, telefone } = await shop.newWaitingCustomer()
    await act(shop.rui, id, 'finalizar', FINISH)
    expect((await act(shop.rui, id, 'reabrir')).status).toBe(200)
    await act(shop.rui, id, 'finalizar', { semAvaliacao: true })
    await waitUntil(async () => (await farewellOf(telefone)).length > 0)
    expect(await shop.app.sql('select 1 from despedidas where conversa_id = $1', [id])).toEqual([])
    expect(await farewellOf(telefone)).toEqual([GOODBYE])
  })

  it('lets one of an undo and the farewell win', async () => {
    for (let n = 0; n < 5; n += 1) {
      const { id, telefone } = await shop.newWaitingCustomer()
      await act(shop.rui, id, 'finalizar', FINISH)
      await isDue(id)
      const { status } = await undo(shop.rui, id)
      await waitUntil(
        async () => (await shop.app.sql('select 1 from despedidas where conversa_id = $1', [id])).length === 0,
      )
      const expected = status === 200 ? ['aguardando', 0] : ['finalizada', 2]
      await waitUntil(async () => (await farewellOf(telefone)).length === expected[1])
      expect((await conversaOf(shop.dona, id)).status).toBe(expected[0])
    }
  })
})
