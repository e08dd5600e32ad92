import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { createAtendimentoApp, type AtendimentoApp } from './atendimento-app.ts'
import { waitUntil } from '#test/app.ts'

let shop: AtendimentoApp
beforeAll(async () => {
  shop = await createAtendimentoApp()
})
afterAll(() => shop.close())

const failures = async (envios: number): Promise<void> => {
  expect((await shop.dona.request('POST', '/simulador/falhas', { envios })).status).toBe(200)
}
const resend = (mensagemId: string, quem = shop.dona) =>
  quem.request('POST', `/atendimento/mensagens/${mensagemId}/reenviar`)

const mensagemDe = async (id: string, text: string): Promise<Mensagem | undefined> =>
  (await shop.dona.list()).find((conversa) => conversa.id === id)?.mensagens.find((uma) => uma.texto === text)

const TENTATIVAS = 5

async function falhada(text: string): Promise<{ id: string; telefone: string; mensagem: Mensagem }> {
  const { id, telefone } = await shop.newWaitingCustomer()
  await failures(TENTATIVAS)
  await shop.dona.act(id, 'mensagem', { mensagem: text })
  const mensagem = await waitUntil(async () => {
    const uma = await mensagemDe(id, text)
    return uma?.estado === 'falhou' ? uma : null
  })
  return { id, telefone, mensagem }
}

describe('POST /atendimento/mensagens/:id/reenviar', () => {
  it('resends a failed mensagem, after later ones were sent in the meantime', async () => {
    const { dona, rui } = shop
    const { id, telefone, mensagem } = await falhada('primeira')
    expect(mensagem.erro).toBe('falha de envio simulada')
    await dona.act(id, 'mensagem', { mensagem: 'segunda' })
    await waitUntil(async () => (await shop.textsOnPhone(telefone)).at(-1) === 'segunda')
    expect(await shop.textsOnPhone(telefone)).not.toContain('primeira')
    const { status, body } = await resend(mensagem.id)
    expect([status, body['conversaId'], Object(body['mensagem'])]).toMatchObject([
      200,
      id,
      { id: mensagem.id, texto: 'primeira', estado: 'pendente' },
    ])
    expect(Object(body['mensagem'])).not.toHaveProperty('erro')
    await waitUntil(async () => (await shop.textsOnPhone(telefone)).includes('primeira'))
    const states = (): unknown[] =>
      rui.events.flatMap(({ evento, dados }) =>
        evento === 'mensagemConversaHumana' && dados.mensagem.id === mensagem.id ? [dados.mensagem.estado] : [],
      )
    await waitUntil(() => states().length >= 4)
    expect(states()).toEqual(['pendente', 'falhou', 'pendente', 'enviada'])
    expect((await mensagemDe(id, 'primeira'))?.estado).toBe('enviada')
  })

  it('does not count a resent mensagem again', async () => {
    const used = async () =>
      (await shop.app.sql(`select usadas from uso_diario where conta_id = '${shop.dona.contaId}'`))[0]?.['usadas']
    const { id, mensagem } = await falhada('contada')
    const before = await used()
    expect((await resend(mensagem.id)).status).toBe(200)
    await waitUntil(async () => (await mensagemDe(id, 'contada'))?.estado === 'enviada')
    expect(await used()).toBe(before)
  })

  it('sends a mensagem once for ten simultaneous requests', async () => {
    const { id, telefone, mensagem } = await falhada('uma vez')
    const respostas = await Promise.all(Array.from({ length: 10 }, () => resend(mensagem.id)))
    expect(respostas.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(409)])
    await waitUntil(async () => (await mensagemDe(id, 'uma vez'))?.estado === 'enviada')
    expect((await shop.textsOnPhone(telefone)).filter((text) => text === 'uma vez')).toHaveLength(1)
  })

  it('refuses sent, pending, received and other contas’ mensagens', async () => {
    const { dona } = shop
    const { id } = await shop.newWaitingCustomer()
    const sent = await dona.act(id, 'mensagem', { mensagem: 'foi' })
    const received = (await dona.list()).find((uma) => uma.id === id)?.mensagens.find(({ tipo }) => tipo === 'recebida')
    for (const uma of [Object(sent.body['mensagem']).id, received?.id ?? '']) {
      expect(await resend(uma)).toMatchObject({ status: 409, body: { codigo: 'mensagemNaoFalhou' } })
    }
    const { mensagem } = await falhada('alheia')
    const alheia = await resend(mensagem.id, shop.vizinha)
    expect([alheia.status, alheia.body]).toEqual([404, (await resend('nada', shop.vizinha)).body])
  })

  it('refuses a mensagem of a conversa that another operador serves, and names the operador', async () => {
    const { id, mensagem } = await falhada('de outra pessoa')
    expect(await resend(mensagem.id, shop.rui)).toMatchObject({
      ...{ status: 409, body: { codigo: 'conversaAssumida', operador: 'Dona' } },
    })
    expect((await mensagemDe(id, 'de outra pessoa'))?.estado).toBe('falhou')
  })

  it('refuses a mensagem of a finished conversa', async () => {
    const { id, mensagem } = await falhada('tarde')
    await shop.dona.act(id, 'finalizar')
    expect(await resend(mensagem.id)).toMatchObject({ status: 409, body: { codigo: 'conversaFinalizada' } })
  })

  it('counts a mensagem that the daily limit had held back', async () => {
    const { dona, app } = shop
    const { id, telefone } = await shop.newWaitingCustomer()
    const count = async (): Promise<number> =>
      Number((await app.sql(`select usadas from uso_diario where conta_id = '${dona.contaId}'`))[0]?.['usadas'])
    const used = await count()
    await app.sql(`update contas set limite_mensagens_dia = ${used} where id = '${dona.contaId}'`)
    await app.sql(`update mensagens set estado = 'limite' where id = (
      select id from mensagens where conversa_id = '${id}' and direcao = 'saida' order by id desc limit 1)`)
    const stuck = (await dona.list()).find((uma) => uma.id === id)?.mensagens.find(({ estado }) => estado === 'limite')
    expect((await resend(stuck?.id ?? '')).status).toBe(429)
    await app.sql(`update contas set limite_mensagens_dia = 1000 where id = '${dona.contaId}'`)
    expect((await resend(stuck?.id ?? '')).status).toBe(200)
    await waitUntil(async () => (await shop.textsOnPhone(telefone)).at(-1) === stuck?.texto)
    expect(await count()).toBe(used + 1)
  })
})
