import { describe, expect, it } from 'vitest'
import { apos, CONTA, umaConversa, umaMensagem } from '#testing/amostras.ts'
import type { EventoServidor } from '#realtime.ts'
import { aplicarEmConversas, conheceConversa } from './conversas.ts'

const c1 = umaConversa()
const c2 = umaConversa({ id: 'c2', ultimaAtividade: apos(-1_000) })
const lista = [c1, c2]

function mensagemDe(conversaId: string, campos: Parameters<typeof umaMensagem>[0]): EventoServidor {
  return { evento: 'mensagemConversaHumana', dados: { userId: CONTA, conversaId, mensagem: umaMensagem(campos) } }
}

describe('aplicarEmConversas', () => {
  it('ignores every event of another account', () => {
    const alheios: EventoServidor[] = [
      { evento: 'novaConversaHumana', dados: { userId: 'outra', conversa: umaConversa({ id: 'c9' }) } },
      { evento: 'mensagemConversaHumana', dados: { userId: 'outra', conversaId: 'c1', mensagem: umaMensagem() } },
      { evento: 'conversaAssumida', dados: { userId: 'outra', conversaId: 'c1', operadorId: 'o', operador: 'Ana' } },
      { evento: 'conversaTransferida', dados: { userId: 'outra', conversaId: 'c1', novoSetor: 'suporte' } },
      { evento: 'conversaFinalizada', dados: { userId: 'outra', conversaId: 'c1' } },
    ]
    for (const alheio of alheios) expect(aplicarEmConversas(lista, alheio, CONTA)).toBe(lista)
  })

  it('inserts a new conversa in order and never twice', () => {
    const conversa = umaConversa({ id: 'c3', ultimaAtividade: apos(5) })
    const nova: EventoServidor = { evento: 'novaConversaHumana', dados: { userId: CONTA, conversa } }
    const uma = aplicarEmConversas(lista, nova, CONTA)
    expect(uma.map((c) => c.id)).toEqual(['c3', 'c1', 'c2'])
    expect(aplicarEmConversas(uma, nova, CONTA)).toEqual(uma)
  })

  it('sorts conversas of the same instant by id, regardless of arrival order', () => {
    const novas = ['c4', 'c3'].map((id): EventoServidor => {
      const conversa = umaConversa({ id, ultimaAtividade: apos(5) })
      return { evento: 'novaConversaHumana', dados: { userId: CONTA, conversa } }
    })
    for (const eventos of [novas, novas.toReversed()]) {
      const depois = eventos.reduce<readonly (typeof c1)[]>(
        (antes, evento) => aplicarEmConversas(antes, evento, CONTA),
        lista,
      )
      expect(depois.map(({ id }) => id)).toEqual(['c4', 'c3', 'c1', 'c2'])
    }
  })

  it('adds a message, counts it as unread and moves its conversa to the front', () => {
    const depois = aplicarEmConversas(lista, mensagemDe('c2', { id: 'm5', texto: 'Oi', timestamp: apos(10) }), CONTA)
    expect(depois.map((c) => c.id)).toEqual(['c2', 'c1'])
    expect(depois[0]).toMatchObject({
      naoLidas: 1,
      ultimaAtividade: apos(10),
      ultimaMensagem: { texto: 'Oi', timestamp: apos(10) },
    })
    expect(depois[1]).toEqual(c1)
  })

  it('shows the media label as last message when the text is empty', () => {
    const midia = { tipo: 'audio', url: '/api/midias/x' } as const
    const [muda] = aplicarEmConversas(lista, mensagemDe('c1', { id: 'm1', texto: '', midia }), CONTA)
    expect(muda?.ultimaMensagem?.texto).toBe('Áudio')
    const [dita] = aplicarEmConversas(lista, mensagemDe('c1', { id: 'm1', texto: 'Ouça', midia }), CONTA)
    expect(dita?.ultimaMensagem?.texto).toBe('Ouça')
  })

  it('clears the unread count only on an operator’s message', () => {
    const uma = aplicarEmConversas(lista, mensagemDe('c1', { id: 'm1' }), CONTA)
    const bot = aplicarEmConversas(uma, mensagemDe('c1', { id: 'm2', tipo: 'enviada', origem: 'bot' }), CONTA)
    expect(bot[0]?.naoLidas).toBe(1)
    const ana = aplicarEmConversas(bot, mensagemDe('c1', { id: 'm3', tipo: 'enviada', origem: 'operador' }), CONTA)
    expect(ana[0]?.naoLidas).toBe(0)
  })

  it('neither counts nor moves a conversa when a message is repeated', () => {
    const uma = aplicarEmConversas(lista, mensagemDe('c2', { id: 'm1', timestamp: apos(1) }), CONTA)
    const duas = aplicarEmConversas(uma, mensagemDe('c2', { id: 'm1', timestamp: apos(1), estado: 'lida' }), CONTA)
    expect(duas[0]).toMatchObject({ id: 'c2', naoLidas: 1, ultimaAtividade: apos(1) })
    expect(duas[0]?.mensagens.map((m) => m.estado)).toEqual(['lida'])
  })

  it('ignores a marked message that the list does not hold', () => {
    const marcada = mensagemDe('c1', { id: 'antiga', timestamp: apos(-9) })
    if (marcada.evento !== 'mensagemConversaHumana') throw new Error('unexpected event')
    const dados = { ...marcada.dados, marcada: true }
    expect(aplicarEmConversas(lista, { evento: 'mensagemConversaHumana', dados }, CONTA)).toEqual(lista)
  })

  it('sets the operator on taking; removes it on transfer and keeps the waiting time', () => {
    const assumida: EventoServidor = {
      evento: 'conversaAssumida',
      dados: { userId: CONTA, conversaId: 'c1', operadorId: 'o1', operador: 'Ana' },
    }
    const tomada = aplicarEmConversas([umaConversa({ naoLidas: 3 })], assumida, CONTA)
    expect(tomada[0]).toMatchObject({ status: 'em_atendimento', operadorId: 'o1', operador: 'Ana', naoLidas: 0 })
    const transferida: EventoServidor = {
      evento: 'conversaTransferida',
      dados: { userId: CONTA, conversaId: 'c1', novoSetor: 'suporte' },
    }
    expect(aplicarEmConversas(tomada, transferida, CONTA)).toEqual([umaConversa({ setor: 'suporte' })])
  })

  it('removes a finished conversa from the list', () => {
    const fim: EventoServidor = { evento: 'conversaFinalizada', dados: { userId: CONTA, conversaId: 'c1' } }
    expect(aplicarEmConversas(lista, fim, CONTA)).toEqual([c2])
  })

  it('reports an unknown conversa so that the list is fetched again', () => {
    expect(conheceConversa(lista, mensagemDe('c1', {}))).toBe(true)
    expect(conheceConversa(lista, mensagemDe('c9', {}))).toBe(false)
    expect(conheceConversa(lista, { evento: 'conversaFinalizada', dados: { userId: CONTA, conversaId: 'c9' } })).toBe(
      true,
    )
  })
})
