import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { ServerEvent } from '@balcao/contract/realtime'
import { createAtendimentoApp, type AtendimentoApp } from './atendimento-app.ts'
import { checkListSync } from './check-list-sync.ts'
import { waitUntil } from '#test/app.ts'

/** After every write, the old list plus the events must equal the list that the server returns. */

let rig: AtendimentoApp
let target: { id: string; telefone: string }
beforeAll(async () => {
  rig = await createAtendimentoApp()
  await rig.newWaitingCustomer()
  target = await rig.newWaitingCustomer()
  await rig.newWaitingCustomer()
})
afterAll(() => rig.close())

async function verificar(action: () => Promise<{ readonly status: number } | undefined>): Promise<void> {
  const { app, dona, rui } = rig
  const reply = await checkListSync(app, rui, () => checkListSync(app, dona, action))
  if (reply !== undefined) expect(reply.status).toBeLessThan(300)
}

const conversa = async (): Promise<Conversa | undefined> => (await rig.dona.list()).find(({ id }) => id === target.id)
const dizer = (mensagem: string) => rig.dona.act(target.id, 'mensagem', { mensagem, idTemporario: mensagem })
const clienteDiz = async (text: string): Promise<undefined> => {
  await rig.customerSays(target.telefone, text)
  return undefined
}

describe('atendimento events', () => {
  it('keeps the list in sync when a customer asks for a person', () =>
    verificar(async () => {
      target = await rig.newWaitingCustomer()
      return undefined
    }))

  it('keeps the list in sync when a waiting customer writes twice', () =>
    verificar(async () => {
      await clienteDiz('alguém?')
      return clienteDiz('por favor')
    }))

  it('keeps the list in sync when an operador takes the conversa', () =>
    verificar(() => rig.dona.act(target.id, 'assumir')))

  it('keeps the list in sync when the customer answers', () => verificar(() => clienteDiz('que bom')))

  it('keeps the list in sync when the customer’s name changes', () =>
    verificar(async () => {
      await rig.customerSays(target.telefone, 'agora com o nome inteiro', 'Bia Souza')
      expect(await conversa()).toMatchObject({ cliente: { nome: 'Bia Souza' } })
      await rig.customerSays(target.telefone, 'e assim fica', 'Bia Souza')
      return undefined
    }))

  it('keeps the list in sync when an operador writes', () => verificar(() => dizer('pois não')))

  it('keeps the list in sync when an operador quotes, reacts and removes the reaction', async () => {
    const marked = async (): Promise<string> =>
      (await conversa())?.mensagens.findLast(({ tipo }) => tipo === 'recebida')?.id ?? ''
    const id = await marked()
    await verificar(() => rig.dona.act(target.id, 'mensagem', { mensagem: 'disto?', citadaId: id }))
    for (const emoji of ['👍', '🙏', null]) {
      await verificar(() => rig.dona.act(target.id, `mensagens/${id}/reacao`, { emoji }))
    }
  })

  it('keeps the list in sync when an operador reacts to a pending mensagem', () =>
    verificar(async () => {
      await rig.dona.request('POST', '/simulador/falhas', { envios: 2 })
      const { body } = await dizer('vou ver')
      return rig.dona.act(target.id, `mensagens/${String(Object(body['mensagem']).id)}/reacao`, { emoji: '👀' })
    }))

  it('keeps the list in sync when the conversa is transferred', () =>
    verificar(() => rig.dona.act(target.id, 'transferir', { setor: 'suporte' })))

  it('keeps the list in sync when a mensagem takes the conversa', () => verificar(() => dizer('voltei')))

  it('keeps the list in sync when sending fails', () =>
    verificar(async () => {
      await rig.dona.request('POST', '/simulador/falhas', { envios: 5 })
      const reply = await dizer('perdida')
      await waitUntil(async () => (await conversa())?.mensagens.at(-1)?.estado === 'falhou')
      return reply
    }))

  it('keeps the list in sync when a failed mensagem is resent', () =>
    verificar(async () => {
      const failed = (await conversa())?.mensagens.at(-1)
      return rig.dona.request('POST', `/atendimento/mensagens/${failed?.id}/reenviar`)
    }))

  it('keeps the list in sync when the owner answers from the phone', () =>
    verificar(async () => {
      await clienteDiz('e agora?')
      const { telefone } = target
      return rig.dona.request('POST', '/simulador/mensagens', { telefone, nome: '', texto: 'daqui', deMim: true })
    }))

  it('keeps the list in sync when its setor is deleted with unread mensagens', async () => {
    const other = await rig.newWaitingCustomer()
    await rig.dona.act(other.id, 'transferir', { setor: 'suporte' })
    await rig.customerSays(other.telefone, 'ainda aí?')
    await clienteDiz('esqueceram de mim?')
    await verificar(() => rig.dona.request('DELETE', '/atendimento/setores/suporte'))
    expect(await conversa()).toMatchObject({ setor: 'geral', status: 'em_atendimento', naoLidas: 1 })
    expect((await rig.dona.list()).find(({ id }) => id === other.id)).toMatchObject({ setor: 'geral', naoLidas: 2 })
  })

  it('keeps the list in sync when a test conversa is created, answered and finished', async () => {
    let id = ''
    await verificar(async () => {
      const reply = await rig.dona.request('POST', '/atendimento/teste-conversa', { setor: 'vendas' })
      id = Object(reply.body['conversa']).id
      return reply
    })
    await verificar(() => rig.rui.act(id, 'mensagem', { mensagem: 'teste recebido' }))
    await verificar(() => rig.rui.act(id, 'finalizar'))
  })

  it('keeps the list in sync when the customer rates and returns', async () => {
    await verificar(() => rig.dona.act(target.id, 'finalizar'))
    await clienteDiz('5')
    await verificar(async () => {
      await clienteDiz('oi')
      return clienteDiz('atendente')
    })
    target = {
      ...target,
      id: (await rig.dona.list()).find((uma) => uma.cliente.telefone === target.telefone)?.id ?? '',
    }
  })

  it('keeps the list in sync when an operador serves an opted-out customer', async () => {
    const telefone = '5511911888777'
    await rig.customerSays(telefone, 'oi')
    await rig.customerSays(telefone, 'PARAR')
    await waitUntil(async () => (await rig.textsOnPhone(telefone)).some((said) => said.includes('VOLTAR')))
    await verificar(() => rig.customerSays(telefone, 'atendente').then(() => undefined))
    const deles = async () => (await rig.dona.list()).find((uma) => uma.cliente.telefone === telefone)
    const { id, ...parsed } = (await deles()) ?? {}
    expect(parsed).toMatchObject({ status: 'aguardando', pediuParada: true })
    // The opt-out stops the bot only; mensagens of operadores are sent.
    await verificar(() => rig.rui.act(String(id), 'mensagem', { mensagem: 'diga lá' }))
    expect(await rig.textsOnPhone(telefone)).toContain('diga lá')
    expect((await rig.dona.list()).filter(({ pediuParada }) => pediuParada === true)).toHaveLength(1)
    await verificar(() => rig.rui.act(String(id), 'finalizar'))
    await rig.customerSays(telefone, 'VOLTAR')
    await verificar(() => rig.customerSays(telefone, 'atendente').then(() => undefined))
    expect(await deles()).not.toHaveProperty('pediuParada')
    await verificar(async () => rig.dona.act((await deles())?.id ?? '', 'finalizar'))
  })

  it('keeps the list in sync when the conversa returns to the bot', () =>
    verificar(() => rig.dona.act(target.id, 'devolver')))

  it('keeps the list in sync when two operadores act simultaneously', async () => {
    const { dona, rui } = rig
    const { id } = await rig.newWaitingCustomer()
    await verificar(async () => {
      await Promise.all([
        dona.act(id, 'assumir'),
        rui.act(id, 'mensagem', { mensagem: 'eu!' }),
        dona.act(id, 'mensagem', { mensagem: 'não, eu!' }),
        rig.customerSays(target.telefone, 'oi'),
      ])
      return undefined
    })
  })
})

describe('novaConversaHumana', () => {
  it('arrives before the first mensagem of its conversa', async () => {
    const { rui } = rig
    const since = rui.events.length
    for (const fim of [1, 2, 3, 4, 5, 6]) {
      for (const text of ['oi', 'atendente', 'alguém?']) await rig.customerSays(`551191177000${fim}`, text)
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
})
