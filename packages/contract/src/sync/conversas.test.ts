import { describe, expect, it } from 'vitest'
import { applyToList, knownFrom } from '#testing/interleaving.ts'
import { afterInstant, SAMPLE_CONTA_ID, sampleConversa, sampleMensagem } from '#testing/samples.ts'
import type { ServerEvent } from '#realtime.ts'
import { applyToConversas, concernsUnknown } from './conversas.ts'

const c1 = sampleConversa()
const c2 = sampleConversa({ id: 'c2', ultimaAtividade: afterInstant(-1_000) })
const lista = [c1, c2]

function mensagemDe(conversaId: string, fields: Parameters<typeof sampleMensagem>[0]): ServerEvent {
  return {
    evento: 'mensagemConversaHumana',
    dados: { userId: SAMPLE_CONTA_ID, conversaId, mensagem: sampleMensagem(fields) },
  }
}

describe('applyToConversas', () => {
  it('ignores every event of another account', () => {
    const alheios: ServerEvent[] = [
      { evento: 'novaConversaHumana', dados: { userId: 'outra', conversa: sampleConversa({ id: 'c9' }) } },
      { evento: 'mensagemConversaHumana', dados: { userId: 'outra', conversaId: 'c1', mensagem: sampleMensagem() } },
      { evento: 'conversaAssumida', dados: { userId: 'outra', conversaId: 'c1', operadorId: 'o', operador: 'Ana' } },
      { evento: 'conversaTransferida', dados: { userId: 'outra', conversaId: 'c1', novoSetor: 'suporte' } },
      { evento: 'conversaFinalizada', dados: { userId: 'outra', conversaId: 'c1' } },
    ]
    for (const alheio of alheios) expect(applyToList(lista, alheio, SAMPLE_CONTA_ID)).toEqual(lista)
  })

  it('raises the unread number of the person and ends a reminder with each new message', () => {
    const minha = { naoLidas: 0, marcada: true, fixada: true, lembrarEm: afterInstant(90_000) }
    const mine = sampleConversa({ naoLidas: 4, minha })
    const received = mensagemDe('c1', { id: 'm2', texto: 'Oi?' })
    const [once] = applyToList([mine], received, SAMPLE_CONTA_ID)
    expect(once?.minha).toEqual({ naoLidas: 1, marcada: true, fixada: true })
    expect(
      applyToList([mine], received, SAMPLE_CONTA_ID).flatMap((one) => applyToList([one], received, SAMPLE_CONTA_ID)),
    ).toMatchObject([{ minha: { naoLidas: 1 } }])
    const sent = mensagemDe('c1', { id: 'm3', tipo: 'enviada', origem: 'operador', remetente: 'Ana' })
    expect(applyToList([mine], sent, SAMPLE_CONTA_ID)[0]?.minha).toEqual(minha)
    const unopened = sampleConversa({ naoLidas: 4, minha: { naoLidas: 4, marcada: false, fixada: false } })
    expect(applyToList([unopened], sent, SAMPLE_CONTA_ID)[0]?.minha?.naoLidas).toBe(0)
  })

  it('takes the marks of the person from an event and keeps them when the conversa is sent again', () => {
    const minha = { naoLidas: 2, marcada: false, fixada: true }
    const marked = applyToList(
      lista,
      { evento: 'leituraMudou', dados: { userId: SAMPLE_CONTA_ID, conversaId: 'c2', minha } },
      SAMPLE_CONTA_ID,
    )
    const again = { evento: 'novaConversaHumana', dados: { userId: SAMPLE_CONTA_ID, conversa: c2 } } as const
    expect(applyToList(marked, again, SAMPLE_CONTA_ID).map((one) => one.minha)).toEqual([undefined, minha])
  })

  it('shows a new rating on a finished conversa, and asks for no read of an unknown one', () => {
    const ended = sampleConversa({ status: 'finalizada' })
    const rated = (conversaId: string): ServerEvent => ({
      evento: 'avaliacaoRecebida',
      dados: { userId: SAMPLE_CONTA_ID, conversaId, nota: 4 },
    })
    const known = knownFrom([ended])
    expect(applyToConversas(known, rated('c1'), SAMPLE_CONTA_ID).byId.get('c1')).toEqual({ ...ended, nota: 4 })
    expect(concernsUnknown(known, rated('c9'))).toBeNull()
  })

  it('shows the name and the etiquetas of a changed contato, and keeps the list for an unknown one', () => {
    const mensagens = [sampleMensagem()]
    const mine = sampleConversa({ contatoId: 'p1', etiquetas: [], mensagens })
    const contato = {
      ...{ id: 'p1', nome: 'Beatriz', telefone: '5511999990000', etiquetas: ['e1'], observacao: '' },
      ...{ criadoEm: afterInstant(0), ultimaAtividade: afterInstant(0) },
    }
    const change = (id: string): ServerEvent => ({
      evento: 'contatoMudou',
      dados: { userId: SAMPLE_CONTA_ID, contato: { ...contato, id } },
    })
    const [after] = applyToList([mine, c2], change('p1'), SAMPLE_CONTA_ID)
    expect(after).toMatchObject({ cliente: { nome: 'Beatriz' }, etiquetas: ['e1'] })
    expect(after?.mensagens[0]?.remetente).toBe('Beatriz')
    expect(applyToList(lista, change('p9'), SAMPLE_CONTA_ID)).toEqual(lista)
  })

  it('inserts a new conversa in order and never twice', () => {
    const conversa = sampleConversa({ id: 'c3', ultimaAtividade: afterInstant(5) })
    const fresh: ServerEvent = { evento: 'novaConversaHumana', dados: { userId: SAMPLE_CONTA_ID, conversa } }
    const uma = applyToList(lista, fresh, SAMPLE_CONTA_ID)
    expect(uma.map((c) => c.id)).toEqual(['c3', 'c1', 'c2'])
    expect(applyToList(uma, fresh, SAMPLE_CONTA_ID)).toEqual(uma)
  })

  it('sorts conversas of the same instant by id, regardless of arrival order', () => {
    const novas = ['c4', 'c3'].map((id): ServerEvent => {
      const conversa = sampleConversa({ id, ultimaAtividade: afterInstant(5) })
      return { evento: 'novaConversaHumana', dados: { userId: SAMPLE_CONTA_ID, conversa } }
    })
    for (const eventos of [novas, novas.toReversed()]) {
      const after = eventos.reduce<readonly (typeof c1)[]>(
        (before, event) => applyToList(before, event, SAMPLE_CONTA_ID),
        lista,
      )
      expect(after.map(({ id }) => id)).toEqual(['c4', 'c3', 'c1', 'c2'])
    }
  })

  it('adds a message, counts it as unread and moves its conversa to the front', () => {
    const after = applyToList(
      lista,
      mensagemDe('c2', { id: 'm5', texto: 'Oi', timestamp: afterInstant(10) }),
      SAMPLE_CONTA_ID,
    )
    expect(after.map((c) => c.id)).toEqual(['c2', 'c1'])
    expect(after[0]).toMatchObject({
      naoLidas: 1,
      ultimaAtividade: afterInstant(10),
      ultimaMensagem: { texto: 'Oi', timestamp: afterInstant(10) },
    })
    expect(after[1]).toEqual(c1)
  })

  it('shows the media label as last message when the text is empty', () => {
    const midia = { tipo: 'audio', url: '/api/midias/x' } as const
    const [muda] = applyToList(lista, mensagemDe('c1', { id: 'm1', texto: '', midia }), SAMPLE_CONTA_ID)
    expect(muda?.ultimaMensagem?.texto).toBe('Áudio')
    const [said] = applyToList(lista, mensagemDe('c1', { id: 'm1', texto: 'Ouça', midia }), SAMPLE_CONTA_ID)
    expect(said?.ultimaMensagem?.texto).toBe('Ouça')
  })

  it('clears the unread count only on an operator’s message', () => {
    const uma = applyToList(lista, mensagemDe('c1', { id: 'm1' }), SAMPLE_CONTA_ID)
    const bot = applyToList(uma, mensagemDe('c1', { id: 'm2', tipo: 'enviada', origem: 'bot' }), SAMPLE_CONTA_ID)
    expect(bot[0]?.naoLidas).toBe(1)
    const ana = applyToList(bot, mensagemDe('c1', { id: 'm3', tipo: 'enviada', origem: 'operador' }), SAMPLE_CONTA_ID)
    expect(ana[0]?.naoLidas).toBe(0)
  })

  it('neither counts nor moves a conversa when a message is repeated', () => {
    const uma = applyToList(lista, mensagemDe('c2', { id: 'm1', timestamp: afterInstant(1) }), SAMPLE_CONTA_ID)
    const duas = applyToList(
      uma,
      mensagemDe('c2', { id: 'm1', timestamp: afterInstant(1), estado: 'lida' }),
      SAMPLE_CONTA_ID,
    )
    expect(duas[0]).toMatchObject({ id: 'c2', naoLidas: 1, ultimaAtividade: afterInstant(1) })
    expect(duas[0]?.mensagens.map((m) => m.estado)).toEqual(['lida'])
  })

  it('ignores a marked message that the list does not hold', () => {
    const marked = mensagemDe('c1', { id: 'antiga', timestamp: afterInstant(-9) })
    if (marked.evento !== 'mensagemConversaHumana') throw new Error('unexpected event')
    const dados = { ...marked.dados, marcada: true }
    expect(applyToList(lista, { evento: 'mensagemConversaHumana', dados }, SAMPLE_CONTA_ID)).toEqual(lista)
  })

  it('sets the operator on taking; removes it on transfer and keeps the waiting time', () => {
    const assumida: ServerEvent = {
      evento: 'conversaAssumida',
      dados: { userId: SAMPLE_CONTA_ID, conversaId: 'c1', operadorId: 'o1', operador: 'Ana' },
    }
    const taken = applyToList([sampleConversa({ naoLidas: 3 })], assumida, SAMPLE_CONTA_ID)
    expect(taken[0]).toMatchObject({ status: 'em_atendimento', operadorId: 'o1', operador: 'Ana', naoLidas: 0 })
    const transferred: ServerEvent = {
      evento: 'conversaTransferida',
      dados: { userId: SAMPLE_CONTA_ID, conversaId: 'c1', novoSetor: 'suporte' },
    }
    expect(applyToList(taken, transferred, SAMPLE_CONTA_ID)).toEqual([sampleConversa({ setor: 'suporte' })])
  })

  it('leaves Meta’s agent when a person writes, takes or gets the conversa', () => {
    const comAgente = sampleConversa({ status: 'em_atendimento', agenteMeta: true })
    const apply = (event: ServerEvent) => applyToList([comAgente], event, SAMPLE_CONTA_ID)[0]
    const dados = { userId: SAMPLE_CONTA_ID, conversaId: 'c1' }
    const own = { id: 'm7', tipo: 'enviada', timestamp: afterInstant(10) } as const
    expect(apply(mensagemDe('c1', { id: 'm6', timestamp: afterInstant(9) }))).toMatchObject({
      ...{ agenteMeta: true, naoLidas: 0 },
    })
    expect(apply(mensagemDe('c1', { ...own, origem: 'celular', agenteMeta: true }))?.agenteMeta).toBe(true)
    const events: ServerEvent[] = [
      mensagemDe('c1', { ...own, origem: 'operador' }),
      mensagemDe('c1', { ...own, origem: 'celular' }),
      { evento: 'conversaAssumida', dados: { ...dados, operadorId: 'o', operador: 'Ana' } },
      { evento: 'conversaTransferida', dados: { ...dados, novoSetor: 'suporte' } },
    ]
    for (const event of events) expect(apply(event)).not.toHaveProperty('agenteMeta')
  })

  it('removes a finished conversa from the list', () => {
    const fim: ServerEvent = { evento: 'conversaFinalizada', dados: { userId: SAMPLE_CONTA_ID, conversaId: 'c1' } }
    expect(applyToList(lista, fim, SAMPLE_CONTA_ID)).toEqual([c2])
  })

  it('names an unknown conversa, which the panel must read', () => {
    const known = knownFrom(lista)
    expect(concernsUnknown(known, mensagemDe('c1', {}))).toBe(null)
    expect(concernsUnknown(known, mensagemDe('c9', {}))).toBe('c9')
    const ended: ServerEvent = { evento: 'conversaFinalizada', dados: { userId: SAMPLE_CONTA_ID, conversaId: 'c9' } }
    expect(concernsUnknown(known, ended)).toBe(null)
  })
})
