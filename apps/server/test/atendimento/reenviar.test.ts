import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { waitUntil } from '#test/bot/house.ts'
import { createAtendimentoApp, type AtendimentoApp } from './posto.ts'

let posto: AtendimentoApp
beforeAll(async () => {
  posto = await createAtendimentoApp()
})
afterAll(() => posto.close())

const falhas = async (envios: number): Promise<void> => {
  expect((await posto.dona.request('POST', '/simulador/falhas', { envios })).status).toBe(200)
}
const reenviar = (mensagemId: string, quem = posto.dona) =>
  quem.request('POST', `/atendimento/mensagens/${mensagemId}/reenviar`)

const mensagemDe = async (id: string, texto: string): Promise<Mensagem | undefined> =>
  (await posto.dona.list()).find((conversa) => conversa.id === id)?.mensagens.find((uma) => uma.texto === texto)

const TENTATIVAS = 5

async function falhada(texto: string): Promise<{ id: string; telefone: string; mensagem: Mensagem }> {
  const { id, telefone } = await posto.newWaitingCustomer()
  await falhas(TENTATIVAS)
  await posto.dona.act(id, 'mensagem', { mensagem: texto })
  const mensagem = await waitUntil(async () => {
    const uma = await mensagemDe(id, texto)
    return uma?.estado === 'falhou' ? uma : null
  })
  return { id, telefone, mensagem }
}

describe('POST /atendimento/mensagens/:id/reenviar', () => {
  it('resends a failed mensagem, after later ones were sent in the meantime', async () => {
    const { dona, rui } = posto
    const { id, telefone, mensagem } = await falhada('primeira')
    expect(mensagem.erro).toBe('falha de envio simulada')
    await dona.act(id, 'mensagem', { mensagem: 'segunda' })
    await waitUntil(async () => (await posto.textsOnPhone(telefone)).at(-1) === 'segunda')
    expect(await posto.textsOnPhone(telefone)).not.toContain('primeira')
    const { status, body } = await reenviar(mensagem.id)
    expect([status, body['conversaId'], Object(body['mensagem'])]).toMatchObject([
      200,
      id,
      { id: mensagem.id, texto: 'primeira', estado: 'pendente' },
    ])
    expect(Object(body['mensagem'])).not.toHaveProperty('erro')
    await waitUntil(async () => (await posto.textsOnPhone(telefone)).includes('primeira'))
    const estados = (): unknown[] =>
      rui.events.flatMap(({ evento, dados }) =>
        evento === 'mensagemConversaHumana' && dados.mensagem.id === mensagem.id ? [dados.mensagem.estado] : [],
      )
    await waitUntil(() => estados().length >= 4)
    expect(estados()).toEqual(['pendente', 'falhou', 'pendente', 'enviada'])
    expect((await mensagemDe(id, 'primeira'))?.estado).toBe('enviada')
  })

  it('does not count a resent mensagem again', async () => {
    const usadas = async () =>
      (await posto.app.sql(`select usadas from uso_diario where conta_id = '${posto.dona.contaId}'`))[0]?.['usadas']
    const { id, mensagem } = await falhada('contada')
    const antes = await usadas()
    expect((await reenviar(mensagem.id)).status).toBe(200)
    await waitUntil(async () => (await mensagemDe(id, 'contada'))?.estado === 'enviada')
    expect(await usadas()).toBe(antes)
  })

  it('sends a mensagem once for ten simultaneous requests', async () => {
    const { id, telefone, mensagem } = await falhada('uma vez')
    const respostas = await Promise.all(Array.from({ length: 10 }, () => reenviar(mensagem.id)))
    expect(respostas.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(409)])
    await waitUntil(async () => (await mensagemDe(id, 'uma vez'))?.estado === 'enviada')
    expect((await posto.textsOnPhone(telefone)).filter((texto) => texto === 'uma vez')).toHaveLength(1)
  })

  it('refuses sent, pending, received and other contas’ mensagens', async () => {
    const { dona } = posto
    const { id } = await posto.newWaitingCustomer()
    const enviada = await dona.act(id, 'mensagem', { mensagem: 'foi' })
    const recebida = (await dona.list())
      .find((uma) => uma.id === id)
      ?.mensagens.find(({ tipo }) => tipo === 'recebida')
    for (const uma of [Object(enviada.body['mensagem']).id, recebida?.id ?? '']) {
      expect(await reenviar(uma)).toMatchObject({ status: 409, body: { codigo: 'mensagemNaoFalhou' } })
    }
    const { mensagem } = await falhada('alheia')
    const alheia = await reenviar(mensagem.id, posto.vizinha)
    expect([alheia.status, alheia.body]).toEqual([404, (await reenviar('nada', posto.vizinha)).body])
  })

  it('refuses a mensagem of a finished conversa', async () => {
    const { id, mensagem } = await falhada('tarde')
    await posto.dona.act(id, 'finalizar')
    expect(await reenviar(mensagem.id)).toMatchObject({ status: 409, body: { codigo: 'conversaFinalizada' } })
  })

  it('counts a mensagem that the daily limit had held back', async () => {
    const { dona, app } = posto
    const { id, telefone } = await posto.newWaitingCustomer()
    const contar = async (): Promise<number> =>
      Number((await app.sql(`select usadas from uso_diario where conta_id = '${dona.contaId}'`))[0]?.['usadas'])
    const usadas = await contar()
    await app.sql(`update contas set limite_mensagens_dia = ${usadas} where id = '${dona.contaId}'`)
    await app.sql(`update mensagens set estado = 'limite' where id = (
      select id from mensagens where conversa_id = '${id}' and direcao = 'saida' order by id desc limit 1)`)
    const presa = (await dona.list())
      .find((uma) => uma.id === id)
      ?.mensagens.find(({ estado }) => estado === 'limite')
    expect((await reenviar(presa?.id ?? '')).status).toBe(429)
    await app.sql(`update contas set limite_mensagens_dia = 1000 where id = '${dona.contaId}'`)
    expect((await reenviar(presa?.id ?? '')).status).toBe(200)
    await waitUntil(async () => (await posto.textsOnPhone(telefone)).at(-1) === presa?.texto)
    expect(await contar()).toBe(usadas + 1)
  })
})
