import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { ServerEvent } from '@balcao/contract/realtime'
import { waitUntil } from '#test/bot/house.ts'
import { createAtendimentoApp, type AtendimentoApp } from './posto.ts'
import { checkListSync } from './verificar-acao.ts'

/** After every write, the old list plus the events must equal the list that the server returns. */

let posto: AtendimentoApp
let alvo: { id: string; telefone: string }
beforeAll(async () => {
  posto = await createAtendimentoApp()
  await posto.newWaitingCustomer()
  alvo = await posto.newWaitingCustomer()
  await posto.newWaitingCustomer()
})
afterAll(() => posto.close())

async function verificar(acao: () => Promise<{ readonly status: number } | undefined>): Promise<void> {
  const { app, dona, rui } = posto
  const resposta = await checkListSync(app, rui, () => checkListSync(app, dona, acao))
  if (resposta !== undefined) expect(resposta.status).toBeLessThan(300)
}

const conversa = async (): Promise<Conversa | undefined> => (await posto.dona.list()).find(({ id }) => id === alvo.id)
const dizer = (mensagem: string) => posto.dona.act(alvo.id, 'mensagem', { mensagem, idTemporario: mensagem })
const clienteDiz = async (texto: string): Promise<undefined> => {
  await posto.customerSays(alvo.telefone, texto)
  return undefined
}

describe('atendimento events', () => {
  it('keeps the list in sync when a customer asks for a person', () =>
    verificar(async () => {
      alvo = await posto.newWaitingCustomer()
      return undefined
    }))

  it('keeps the list in sync when a waiting customer writes twice', () =>
    verificar(async () => {
      await clienteDiz('alguém?')
      return clienteDiz('por favor')
    }))

  it('keeps the list in sync when an operador takes the conversa', () =>
    verificar(() => posto.dona.act(alvo.id, 'assumir')))

  it('keeps the list in sync when the customer answers', () => verificar(() => clienteDiz('que bom')))

  it('keeps the list in sync when the customer’s name changes', () =>
    verificar(async () => {
      await posto.customerSays(alvo.telefone, 'agora com o nome inteiro', 'Bia Souza')
      expect(await conversa()).toMatchObject({ cliente: { nome: 'Bia Souza' } })
      await posto.customerSays(alvo.telefone, 'e assim fica', 'Bia Souza')
      return undefined
    }))

  it('keeps the list in sync when an operador writes', () => verificar(() => dizer('pois não')))

  it('keeps the list in sync when an operador quotes, reacts and removes the reaction', async () => {
    const marcada = async (): Promise<string> =>
      (await conversa())?.mensagens.findLast(({ tipo }) => tipo === 'recebida')?.id ?? ''
    const id = await marcada()
    await verificar(() => posto.dona.act(alvo.id, 'mensagem', { mensagem: 'disto?', citadaId: id }))
    for (const emoji of ['👍', '🙏', null]) {
      await verificar(() => posto.dona.act(alvo.id, `mensagens/${id}/reacao`, { emoji }))
    }
  })

  it('keeps the list in sync when an operador reacts to a pending mensagem', () =>
    verificar(async () => {
      await posto.dona.request('POST', '/simulador/falhas', { envios: 2 })
      const { body } = await dizer('vou ver')
      return posto.dona.act(alvo.id, `mensagens/${String(Object(body['mensagem']).id)}/reacao`, { emoji: '👀' })
    }))

  it('keeps the list in sync when the conversa is transferred', () =>
    verificar(() => posto.dona.act(alvo.id, 'transferir', { setor: 'suporte' })))

  it('keeps the list in sync when a mensagem takes the conversa', () => verificar(() => dizer('voltei')))

  it('keeps the list in sync when sending fails', () =>
    verificar(async () => {
      await posto.dona.request('POST', '/simulador/falhas', { envios: 5 })
      const resposta = await dizer('perdida')
      await waitUntil(async () => (await conversa())?.mensagens.at(-1)?.estado === 'falhou')
      return resposta
    }))

  it('keeps the list in sync when a failed mensagem is resent', () =>
    verificar(async () => {
      const falhou = (await conversa())?.mensagens.at(-1)
      return posto.dona.request('POST', `/atendimento/mensagens/${falhou?.id}/reenviar`)
    }))

  it('keeps the list in sync when the owner answers from the phone', () =>
    verificar(async () => {
      await clienteDiz('e agora?')
      const { telefone } = alvo
      return posto.dona.request('POST', '/simulador/mensagens', { telefone, nome: '', texto: 'daqui', deMim: true })
    }))

  it('keeps the list in sync when its setor is deleted with unread mensagens', async () => {
    const outra = await posto.newWaitingCustomer()
    await posto.dona.act(outra.id, 'transferir', { setor: 'suporte' })
    await posto.customerSays(outra.telefone, 'ainda aí?')
    await clienteDiz('esqueceram de mim?')
    await verificar(() => posto.dona.request('DELETE', '/atendimento/setores/suporte'))
    expect(await conversa()).toMatchObject({ setor: 'geral', status: 'em_atendimento', naoLidas: 1 })
    expect((await posto.dona.list()).find(({ id }) => id === outra.id)).toMatchObject({ setor: 'geral', naoLidas: 2 })
  })

  it('keeps the list in sync when a test conversa is created, answered and finished', async () => {
    let id = ''
    await verificar(async () => {
      const resposta = await posto.dona.request('POST', '/atendimento/teste-conversa', { setor: 'vendas' })
      id = Object(resposta.body['conversa']).id
      return resposta
    })
    await verificar(() => posto.rui.act(id, 'mensagem', { mensagem: 'teste recebido' }))
    await verificar(() => posto.rui.act(id, 'finalizar'))
  })

  it('keeps the list in sync when the customer rates and returns', async () => {
    await verificar(() => posto.dona.act(alvo.id, 'finalizar'))
    await clienteDiz('5')
    await verificar(async () => {
      await clienteDiz('oi')
      return clienteDiz('atendente')
    })
    alvo = { ...alvo, id: (await posto.dona.list()).find((uma) => uma.cliente.telefone === alvo.telefone)?.id ?? '' }
  })

  it('keeps the list in sync when an operador serves an opted-out customer', async () => {
    const telefone = '5511911888777'
    await posto.customerSays(telefone, 'oi')
    await posto.customerSays(telefone, 'PARAR')
    await waitUntil(async () => (await posto.textsOnPhone(telefone)).some((dito) => dito.includes('VOLTAR')))
    await verificar(() => posto.customerSays(telefone, 'atendente').then(() => undefined))
    const deles = async () => (await posto.dona.list()).find((uma) => uma.cliente.telefone === telefone)
    const { id, ...lida } = (await deles()) ?? {}
    expect(lida).toMatchObject({ status: 'aguardando', pediuParada: true })
    // The opt-out stops the bot only; mensagens of operadores are sent.
    await verificar(() => posto.rui.act(String(id), 'mensagem', { mensagem: 'diga lá' }))
    expect(await posto.textsOnPhone(telefone)).toContain('diga lá')
    expect((await posto.dona.list()).filter(({ pediuParada }) => pediuParada === true)).toHaveLength(1)
    await verificar(() => posto.rui.act(String(id), 'finalizar'))
    await posto.customerSays(telefone, 'VOLTAR')
    await verificar(() => posto.customerSays(telefone, 'atendente').then(() => undefined))
    expect(await deles()).not.toHaveProperty('pediuParada')
    await verificar(async () => posto.dona.act((await deles())?.id ?? '', 'finalizar'))
  })

  it('keeps the list in sync when the conversa returns to the bot', () =>
    verificar(() => posto.dona.act(alvo.id, 'devolver')))

  it('keeps the list in sync when two operadores act simultaneously', async () => {
    const { dona, rui } = posto
    const { id } = await posto.newWaitingCustomer()
    await verificar(async () => {
      await Promise.all([
        dona.act(id, 'assumir'),
        rui.act(id, 'mensagem', { mensagem: 'eu!' }),
        dona.act(id, 'mensagem', { mensagem: 'não, eu!' }),
        posto.customerSays(alvo.telefone, 'oi'),
      ])
      return undefined
    })
  })
})

describe('novaConversaHumana', () => {
  it('arrives before the first mensagem of its conversa', async () => {
    const { rui } = posto
    const desde = rui.events.length
    for (const fim of [1, 2, 3, 4, 5, 6]) {
      for (const texto of ['oi', 'atendente', 'alguém?']) await posto.customerSays(`551191177000${fim}`, texto)
    }
    const daqui = () => rui.events.slice(desde)
    const escreveu = ({ evento, dados }: ServerEvent): boolean =>
      evento === 'mensagemConversaHumana' && dados.mensagem.texto === 'alguém?'
    await waitUntil(() => daqui().filter(escreveu).length === 6)
    const conhecidas = new Set<string>()
    for (const um of daqui()) {
      if (um.evento === 'novaConversaHumana') conhecidas.add(um.dados.conversa.id)
      if (um.evento === 'mensagemConversaHumana') expect(conhecidas).toContain(um.dados.conversaId)
    }
    expect(conhecidas.size).toBe(6)
  })
})
