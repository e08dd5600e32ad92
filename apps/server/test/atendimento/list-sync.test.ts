import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { ServerEvent } from '@balcao/contract/realtime'
import { createAtendimentoApp, type AtendimentoApp } from './atendimento-app.ts'
import { checkListSync } from './check-list-sync.ts'
import { waitUntil } from '#test/app.ts'
import { saveConfig } from '#test/builders.ts'

/** After every write, the old list plus the events must equal the list that the server returns. */

let shop: AtendimentoApp
let target: { id: string; telefone: string }
beforeAll(async () => {
  shop = await createAtendimentoApp()
  await shop.newWaitingCustomer()
  target = await shop.newWaitingCustomer()
  await shop.newWaitingCustomer()
})
afterAll(() => shop.close())

async function verificar(action: () => Promise<{ readonly status: number } | undefined>): Promise<void> {
  const { app, dona, rui } = shop
  const reply = await checkListSync(app, rui, () => checkListSync(app, dona, action))
  if (reply !== undefined) expect(reply.status).toBeLessThan(300)
}

const conversa = async (): Promise<Conversa | undefined> => (await shop.dona.list()).find(({ id }) => id === target.id)
const dizer = (mensagem: string) => shop.dona.act(target.id, 'mensagem', { mensagem, idTemporario: mensagem })
const clienteDiz = async (text: string): Promise<undefined> => {
  await shop.customerSays(target.telefone, text)
  return undefined
}

describe('atendimento events', () => {
  it('keeps the list in sync when a customer asks for a person', () =>
    verificar(async () => {
      target = await shop.newWaitingCustomer()
      return undefined
    }))

  it('keeps the list in sync when a waiting customer writes twice', () =>
    verificar(async () => {
      await clienteDiz('alguém?')
      return clienteDiz('por favor')
    }))

  it('keeps the list in sync when an operador takes the conversa', () =>
    verificar(() => shop.dona.act(target.id, 'assumir')))

  it('keeps the list in sync when the customer answers', () => verificar(() => clienteDiz('que bom')))

  it('keeps the list in sync when the customer’s name changes', () =>
    verificar(async () => {
      await shop.customerSays(target.telefone, 'agora com o nome inteiro', 'Bia Souza')
      expect(await conversa()).toMatchObject({ cliente: { nome: 'Bia Souza' } })
      await shop.customerSays(target.telefone, 'e assim fica', 'Bia Souza')
      return undefined
    }))

  it('keeps the list in sync when an operador writes', () => verificar(() => dizer('pois não')))

  it('keeps the list in sync when an operador quotes, reacts and removes the reaction', async () => {
    const marked = async (): Promise<string> =>
      (await conversa())?.mensagens.findLast(({ tipo }) => tipo === 'recebida')?.id ?? ''
    const id = await marked()
    await verificar(() => shop.dona.act(target.id, 'mensagem', { mensagem: 'disto?', citadaId: id }))
    for (const emoji of ['👍', '🙏', null]) {
      await verificar(() => shop.dona.act(target.id, `mensagens/${id}/reacao`, { emoji }))
    }
  })

  it('keeps the list in sync when an operador reacts to a pending mensagem', () =>
    verificar(async () => {
      await shop.dona.request('POST', '/simulador/falhas', { envios: 2 })
      const { body } = await dizer('vou ver')
      return shop.dona.act(target.id, `mensagens/${String(Object(body['mensagem']).id)}/reacao`, { emoji: '👀' })
    }))

  it('keeps the list in sync when the conversa is transferred', () =>
    verificar(() => shop.dona.act(target.id, 'transferir', { setor: 'suporte' })))

  it('keeps the list in sync when a mensagem takes the conversa', () => verificar(() => dizer('voltei')))

  it('keeps the list in sync when sending fails', () =>
    verificar(async () => {
      await shop.dona.request('POST', '/simulador/falhas', { envios: 5 })
      const reply = await dizer('perdida')
      await waitUntil(async () => (await conversa())?.mensagens.at(-1)?.estado === 'falhou')
      return reply
    }))

  it('keeps the list in sync when a failed mensagem is resent', () =>
    verificar(async () => {
      const failed = (await conversa())?.mensagens.at(-1)
      return shop.dona.request('POST', `/atendimento/mensagens/${failed?.id}/reenviar`)
    }))

  it('keeps the list in sync when the owner answers from the phone', () =>
    verificar(async () => {
      await clienteDiz('e agora?')
      const { telefone } = target
      return shop.dona.request('POST', '/simulador/mensagens', { telefone, nome: '', texto: 'daqui', deMim: true })
    }))

  it('keeps the list in sync when its setor is deleted with unread mensagens', async () => {
    const other = await shop.newWaitingCustomer()
    await shop.dona.act(other.id, 'transferir', { setor: 'suporte' })
    await shop.customerSays(other.telefone, 'ainda aí?')
    await clienteDiz('esqueceram de mim?')
    await verificar(() => shop.dona.request('DELETE', '/atendimento/setores/suporte'))
    expect(await conversa()).toMatchObject({ setor: 'geral', status: 'em_atendimento', naoLidas: 1 })
    expect((await shop.dona.list()).find(({ id }) => id === other.id)).toMatchObject({ setor: 'geral', naoLidas: 2 })
  })

  it('keeps the list in sync when a test conversa is created, answered and finished', async () => {
    let id = ''
    await verificar(async () => {
      const reply = await shop.dona.request('POST', '/atendimento/teste-conversa', { setor: 'vendas' })
      id = Object(reply.body['conversa']).id
      return reply
    })
    await verificar(() => shop.rui.act(id, 'mensagem', { mensagem: 'teste recebido' }))
    await verificar(() => shop.rui.act(id, 'finalizar'))
  })

  it('keeps the list in sync when the customer rates and returns', async () => {
    await verificar(() => shop.dona.act(target.id, 'finalizar'))
    await clienteDiz('5')
    await verificar(async () => {
      await clienteDiz('oi')
      return clienteDiz('atendente')
    })
    target = {
      ...target,
      id: (await shop.dona.list()).find((uma) => uma.cliente.telefone === target.telefone)?.id ?? '',
    }
  })

  it('keeps the list in sync when an operador serves an opted-out customer', async () => {
    const telefone = '5511911888777'
    await shop.customerSays(telefone, 'oi')
    await shop.customerSays(telefone, 'PARAR')
    await waitUntil(async () => (await shop.textsOnPhone(telefone)).some((said) => said.includes('VOLTAR')))
    await verificar(() => shop.customerSays(telefone, 'atendente').then(() => undefined))
    const deles = async () => (await shop.dona.list()).find((uma) => uma.cliente.telefone === telefone)
    const { id, ...parsed } = (await deles()) ?? {}
    expect(parsed).toMatchObject({ status: 'aguardando', pediuParada: true })
    // The opt-out stops the bot only; mensagens of operadores are sent.
    await verificar(() => shop.rui.act(String(id), 'mensagem', { mensagem: 'diga lá' }))
    expect(await shop.textsOnPhone(telefone)).toContain('diga lá')
    expect((await shop.dona.list()).filter(({ pediuParada }) => pediuParada === true)).toHaveLength(1)
    await verificar(() => shop.rui.act(String(id), 'finalizar'))
    await shop.customerSays(telefone, 'VOLTAR')
    await verificar(() => shop.customerSays(telefone, 'atendente').then(() => undefined))
    expect(await deles()).not.toHaveProperty('pediuParada')
    await verificar(async () => shop.dona.act((await deles())?.id ?? '', 'finalizar'))
  })

  it('keeps the list in sync when the conversa returns to the bot', () =>
    verificar(() => shop.dona.act(target.id, 'devolver')))

  it('keeps the list in sync when two operadores act simultaneously', async () => {
    const { dona, rui } = shop
    const { id } = await shop.newWaitingCustomer()
    await verificar(async () => {
      await Promise.all([
        dona.act(id, 'assumir'),
        rui.act(id, 'mensagem', { mensagem: 'eu!' }),
        dona.act(id, 'mensagem', { mensagem: 'não, eu!' }),
        shop.customerSays(target.telefone, 'oi'),
      ])
      return undefined
    })
  })
})

describe('novaConversaHumana', () => {
  it('arrives before the first mensagem of its conversa', async () => {
    const { rui } = shop
    const since = rui.events.length
    for (const fim of [1, 2, 3, 4, 5, 6]) {
      for (const text of ['oi', 'atendente', 'alguém?']) await shop.customerSays(`551191177000${fim}`, text)
    }
    const daqui = () => rui.events.slice(since)
    const escreveu = ({ evento, dados }: ServerEvent): boolean =>
      evento === 'mensagemConversaHumana' && dados.mensagem.texto === 'alguém?'
    await waitUntil(() => daqui().filter(escreveu).length === 6)
    const known = new Set<string>()
    for (const um of daqui()) {
      if (um.evento === 'novaConversaHumana') known.add(um.dados.conversa.id)
      if (um.evento === 'mensagemConversaHumana') expect(known).toContain(um.dados.conversaId)
    }
    expect(known.size).toBe(6)
  })

  it('carries the card as the list reads it, for a new and for a known contato', async () => {
    const { dona } = shop
    const telefone = '5511911770099'
    const aguardandoAtendente = `Um momento. ${'é🙂'.repeat(300)}`
    await saveConfig(dona, ({ menu, ...config }) => ({
      ...config,
      menu: { ...menu, mensagens: { ...menu.mensagens, aguardandoAtendente } },
    }))
    const { body } = await dona.request('POST', '/etiquetas', { nome: 'VIP', cor: 'blue' })
    for (const round of ['new', 'known']) {
      const since = dona.events.length
      for (const text of ['oi', 'atendente']) await shop.customerSays(telefone, text, 'Bia')
      const event = await waitUntil(
        () => dona.events.slice(since).find(({ evento }) => evento === 'novaConversaHumana') ?? null,
      )
      const card = await waitUntil(
        async () =>
          (await dona.list('limite=200&mensagens=1')).find(({ cliente }) => cliente.telefone === telefone) ?? null,
      )
      const sent = ({ mensagens, ...conversa }: Conversa): object => ({
        ...conversa,
        mensagens: mensagens.map((mensagem) => ({ ...mensagem, estado: 'enviada' })),
      })
      expect(event.evento === 'novaConversaHumana' && sent(event.dados.conversa)).toEqual(sent(card))
      expect(card.etiquetas).toHaveLength(round === 'new' ? 0 : 1)
      await dona.request('PUT', `/contatos/${card.contatoId}`, { etiquetas: [Object(body['etiqueta']).id] })
      expect((await dona.act(card.id, 'finalizar', { silencioso: true })).status).toBe(200)
    }
  })
})
