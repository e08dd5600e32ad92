import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mensagensSimuladasRoute } from '@balcao/contract/routes/simulador'
import { createAtendimentoApp, type AtendimentoApp } from './atendimento-app.ts'
import { waitUntil } from '#test/app.ts'
import { formFile, startBot } from '#test/builders.ts'
import { pdf } from '#test/midias/sample-files.ts'

let shop: AtendimentoApp
beforeAll(async () => {
  shop = await createAtendimentoApp()
})
afterAll(() => shop.close())

const mensagensOf = async (id: string) => (await shop.dona.list()).find((one) => one.id === id)?.mensagens ?? []
const edit = (id: string, texto: unknown, quem = shop.dona) =>
  quem.request('PUT', `/atendimento/mensagens/${id}`, { texto })
const remove = (id: string, quem = shop.dona) => quem.request('DELETE', `/atendimento/mensagens/${id}`)
const queued = async (): Promise<number> => (await shop.app.sql('select 1 from saida')).length
const allSent = () => waitUntil(async () => (await queued()) === 0)
const onPhone = async (telefone: string) => {
  const { body } = await shop.dona.request('GET', `/simulador/mensagens?telefone=${telefone}`)
  return mensagensSimuladasRoute.response.parse(body).mensagens
}
/** A text of the dona, sent to a new customer. */
async function written(texto: string): Promise<{ id: string; telefone: string; mensagemId: string }> {
  const customer = await shop.newWaitingCustomer()
  await shop.dona.act(customer.id, 'mensagem', { mensagem: texto })
  const mensagemId = (await mensagensOf(customer.id)).at(-1)?.id ?? ''
  await allSent()
  return { ...customer, mensagemId }
}
const age = (id: string, minutes: number) =>
  shop.app.sql(`update mensagens set criada_em = criada_em - interval '${minutes} minutes' where id = '${id}'`)
const recorded = async (id: string) =>
  (await shop.app.sql(`select acao, detalhe from auditoria where alvo_id = '${id}' order by id`)).map(
    ({ acao, detalhe }) => [acao, detalhe],
  )

describe('PUT /atendimento/mensagens/:id', () => {
  it('edits an own text on the phone and in the panels and records the act', async () => {
    const { dona, rui } = shop
    const { id, telefone, mensagemId } = await written('Sai as 9h')
    const { status, body } = await edit(mensagemId, 'Sai às 9h')
    expect(status).toBe(200)
    const edited = { id: mensagemId, texto: 'Sai as 9h', editada: true, edicao: 'Sai às 9h' }
    expect(body).toMatchObject({ conversaId: id, mensagem: edited })
    await allSent()
    expect((await onPhone(telefone)).find((one) => one.id === mensagemId)).toMatchObject({ texto: 'Sai às 9h' })
    expect((await mensagensOf(id)).at(-1)).toMatchObject(edited)
    const event = rui.events.findLast(({ evento }) => evento === 'mensagemConversaHumana')
    expect(event).toMatchObject({ dados: { marcada: true, mensagem: edited } })
    expect((await edit(mensagemId, 'Sai às 9h', dona)).status).toBe(200)
    expect(await recorded(mensagemId)).toEqual([['mensagemEditada', '']])
  })

  it('refuses another person, a customer’s text, a file, an old text and other contas', async () => {
    const { id, mensagemId } = await written('Já vou ver')
    const theirs = (await mensagensOf(id)).find(({ origem }) => origem === 'cliente')?.id ?? ''
    for (const one of [await edit(mensagemId, 'x', shop.rui), await edit(theirs, 'x'), await remove(theirs)]) {
      expect(one).toMatchObject({ status: 403, body: { codigo: 'semPermissao' } })
    }
    expect((await edit(mensagemId, 'x', shop.vizinha)).status).toBe(404)
    expect((await edit('nada', 'x')).status).toBe(404)
    expect((await edit(mensagemId, '  ')).status).toBe(400)
    const form = new FormData()
    form.set('arquivo', formFile(pdf(), 'nota.pdf', 'application/pdf'))
    await shop.dona.request('POST', `/atendimento/conversas/${id}/midia`, form)
    const file = (await mensagensOf(id)).at(-1)?.id ?? ''
    expect((await edit(file, 'x')).body).toMatchObject({ codigo: 'mensagemForaDeAlcance' })
    await age(mensagemId, 16)
    expect(await edit(mensagemId, 'x')).toMatchObject({ status: 409, body: { codigo: 'prazoDaMensagem' } })
  })

  it('answers 409 when the connector cannot change sent mensagens', async () => {
    const { mensagemId } = await written('Só um minuto')
    await shop.app.sql(`update bots set conector = 'oficial' where conta_id = '${shop.dona.contaId}'`)
    try {
      for (const one of [await edit(mensagemId, 'x'), await remove(mensagemId)]) {
        expect(one).toMatchObject({ status: 409, body: { codigo: 'conectorNaoPermite' } })
      }
    } finally {
      await shop.app.sql(`update bots set conector = 'simulador' where conta_id = '${shop.dona.contaId}'`)
    }
  })

  it('restores the earlier text if sending fails and says so in the log', async () => {
    const { id, mensagemId } = await written('Aberto até 18h')
    await edit(mensagemId, 'Aberto até 19h')
    await allSent()
    await shop.dona.request('POST', '/simulador/falhas', { envios: 5 })
    expect((await edit(mensagemId, 'Aberto até 20h')).body).toMatchObject({ mensagem: { edicao: 'Aberto até 20h' } })
    await waitUntil(async () => (await mensagensOf(id)).at(-1)?.edicao === 'Aberto até 19h')
    const logs = await shop.app.sql(`select mensagem from logs where detalhes->>'mensagemId' = '${mensagemId}'`)
    expect(logs.map(({ mensagem }) => String(mensagem))).toEqual([expect.stringContaining('edição')])
  })
})

describe('DELETE /atendimento/mensagens/:id', () => {
  it('deletes an own mensagem on the phone, also after the end, up to 48 hours', async () => {
    const { id, telefone, mensagemId } = await written('Mandei errado')
    await shop.dona.act(id, 'finalizar')
    await age(mensagemId, 47 * 60)
    expect((await remove(mensagemId)).body).toMatchObject({ mensagem: { apagada: true, texto: 'Mandei errado' } })
    await allSent()
    expect((await onPhone(telefone)).map((one) => one.texto)).not.toContain('Mandei errado')
    expect((await remove(mensagemId)).body).toMatchObject({ codigo: 'mensagemForaDeAlcance' })
    expect(await recorded(mensagemId)).toEqual([['mensagemApagada', '']])
    const old = await written('Antiga')
    await age(old.mensagemId, 48 * 60 + 1)
    expect((await remove(old.mensagemId)).body).toMatchObject({ codigo: 'prazoDaMensagem' })
  })

  it('waits for a stopped bot and shows the mensagem again if sending fails', async () => {
    const { dona } = shop
    const { id, mensagemId } = await written('Some daqui')
    await dona.request('POST', '/bot/parar')
    expect((await remove(mensagemId)).status).toBe(200)
    expect(await queued()).toBe(1)
    await dona.request('POST', '/simulador/falhas', { envios: 5 })
    await startBot(dona)
    await allSent()
    expect((await mensagensOf(id)).at(-1)).toMatchObject({ id: mensagemId, apagada: true })
    const other = await written('Fica aqui')
    await dona.request('POST', '/simulador/falhas', { envios: 5 })
    await remove(other.mensagemId)
    await waitUntil(async () => (await mensagensOf(other.id)).at(-1)?.apagada === undefined)
  })
})
