import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mensagensSimuladasRoute } from '@balcao/contract/routes/simulador'
import { createAtendimentoApp, type AtendimentoApp } from './atendimento-app.ts'
import { waitUntil } from '#test/app.ts'
import { formFile } from '#test/builders.ts'
import { pdf } from '#test/midias/sample-files.ts'

let shop: AtendimentoApp
beforeAll(async () => {
  shop = await createAtendimentoApp()
})
afterAll(() => shop.close())

const mensagensOf = async (id: string) => (await shop.dona.list()).find((one) => one.id === id)?.mensagens ?? []
const idOf = (id: string, text: string): Promise<string> =>
  waitUntil(async () => (await mensagensOf(id)).find(({ texto }) => texto === text)?.id ?? null)
const forward = (mensagemId: string, conversaIds: readonly unknown[], quem = shop.dona) =>
  quem.request('POST', `/atendimento/mensagens/${mensagemId}/encaminhar`, { conversaIds })
const onPhone = async (telefone: string) => {
  const { body } = await shop.dona.request('GET', `/simulador/mensagens?telefone=${telefone}`)
  return mensagensSimuladasRoute.response.parse(body).mensagens
}

describe('POST /atendimento/mensagens/:id/encaminhar', () => {
  it('sends a text as a marked new mensagem and takes waiting conversas', async () => {
    const [from, um, dois] = [
      await shop.newWaitingCustomer(),
      await shop.newWaitingCustomer(),
      await shop.newWaitingCustomer(),
    ]
    await shop.customerSays(from.telefone, 'o endereço é Rua A, 10')
    const mensagemId = await idOf(from.id, 'o endereço é Rua A, 10')
    const answer = await forward(mensagemId, [um.id, dois.id])
    expect(answer).toMatchObject({ status: 200, body: { feitas: [um.id, dois.id], recusadas: [] } })
    for (const { id, telefone } of [um, dois]) {
      await waitUntil(async () => (await onPhone(telefone)).at(-1)?.texto === 'o endereço é Rua A, 10')
      expect((await mensagensOf(id)).at(-1)).toMatchObject({ encaminhada: true, origem: 'operador', tipo: 'enviada' })
    }
    expect((await shop.dona.list()).find(({ id }) => id === um.id)).toMatchObject({ operadorId: shop.dona.id })
  })

  it('sends a file again, with its caption', async () => {
    const [from, to] = [await shop.newWaitingCustomer(), await shop.newWaitingCustomer()]
    const form = new FormData()
    form.set('legenda', 'cardápio')
    form.set('arquivo', formFile(pdf(), 'cardapio.pdf', 'application/pdf'))
    await shop.dona.request('POST', `/atendimento/conversas/${from.id}/midia`, form)
    expect((await forward(await idOf(from.id, 'cardápio'), [to.id])).body).toMatchObject({ feitas: [to.id] })
    const midia = { tipo: 'documento', nomeArquivo: 'cardapio.pdf' }
    const copy = (await mensagensOf(to.id)).at(-1)
    expect(copy).toMatchObject({ texto: 'cardápio', encaminhada: true, midia })
    await shop.app.sql(`delete from mensagens where conversa_id = '${from.id}'`)
    expect((await shop.app.send('GET', copy?.midia?.url?.replace('/api', '') ?? '')).status).toBe(200)
  })

  it('refuses each conversa separately, by the rules of a send', async () => {
    const [from, own, finished, taken] = [
      await shop.newWaitingCustomer(),
      await shop.newWaitingCustomer(),
      await shop.newWaitingCustomer(),
      await shop.newWaitingCustomer(),
    ]
    await shop.dona.act(finished.id, 'finalizar')
    await shop.rui.act(taken.id, 'assumir')
    const unknown = '00000000-0000-7000-8000-000000000000'
    const answer = await forward(await idOf(from.id, 'atendente'), [own.id, finished.id, taken.id, unknown])
    expect(answer.body).toEqual({
      feitas: [own.id],
      recusadas: [
        { id: finished.id, codigo: 'conversaFinalizada' },
        { id: taken.id, codigo: 'conversaAssumida' },
        { id: unknown, codigo: 'naoEncontrado' },
      ],
    })
  })

  it('refuses an unknown or foreign mensagem and a wrong number of conversas', async () => {
    const { id } = await shop.newWaitingCustomer()
    const mensagemId = await idOf(id, 'atendente')
    expect((await forward(mensagemId, [id], shop.vizinha)).status).toBe(404)
    expect((await forward('nada', [id])).status).toBe(404)
    for (const wrong of [[], [id, id], Array.from({ length: 6 }, (_, n) => `c${n}`)]) {
      expect((await forward(mensagemId, wrong)).status).toBe(400)
    }
  })
})
