import { describe, expect, it } from 'vitest'
import { afterInstant, sampleMensagem } from '#testing/samples.ts'
import { applyMensagem } from './mensagens.ts'

const confirmed = sampleMensagem({
  id: 'm9',
  texto: 'Já vai',
  tipo: 'enviada',
  remetente: 'Ana',
  origem: 'operador',
  timestamp: afterInstant(800),
})

describe('aplicarMensagem', () => {
  it('appends an unknown message', () => {
    const { mensagens, nova } = applyMensagem([sampleMensagem()], sampleMensagem({ id: 'm2' }))
    expect(mensagens.map((m) => m.id)).toEqual(['m1', 'm2'])
    expect(nova).toBe(true)
  })

  it('replaces the earlier copy of a message with the same id', () => {
    const lista = [sampleMensagem({ id: 'm1', estado: 'pendente' }), sampleMensagem({ id: 'm2' })]
    const { mensagens, nova } = applyMensagem(lista, sampleMensagem({ id: 'm1', estado: 'falhou' }))
    expect(mensagens.map((m) => [m.id, m.estado])).toEqual([
      ['m1', 'falhou'],
      ['m2', undefined],
    ])
    expect(nova).toBe(false)
  })

  it('keeps the later delivery state when an older one arrives', () => {
    const parsed = { ...confirmed, estado: 'lida' } as const
    expect(applyMensagem([parsed], { ...confirmed, estado: 'pendente', texto: 'editada' }).mensagens).toEqual([
      { ...parsed, texto: 'editada' },
    ])
    for (const [de, para] of [
      ['pendente', 'enviada'],
      ['enviada', 'entregue'],
      ['enviada', 'falhou'],
      ['falhou', 'pendente'],
      ['limite', 'pendente'],
    ] as const) {
      const [mensagem] = applyMensagem([{ ...confirmed, estado: de }], { ...confirmed, estado: para }).mensagens
      expect(mensagem?.estado, `${de} → ${para}`).toBe(para)
    }
  })

  it('keeps the newest marks in any order of two reactions', () => {
    const first = sampleMensagem({ revisao: 1, reacoes: ['👍'], reacaoLoja: '👍' })
    const removed = sampleMensagem({ revisao: 2 })
    for (const events of [
      [first, removed],
      [removed, first],
    ]) {
      const held = events.reduce((list, event) => applyMensagem(list, event).mensagens, [sampleMensagem()])
      expect(held).toEqual([removed])
    }
  })

  it('keeps the transcript when an older copy of a voice note arrives', () => {
    const pending = sampleMensagem({ transcricao: { texto: '', estado: 'pendente' } })
    const done = sampleMensagem({ revisao: 1, transcricao: { texto: 'Tem bolo hoje?', estado: 'pronta' } })
    expect([done, pending].reduce((list, event) => applyMensagem(list, event).mensagens, [pending])).toEqual([done])
  })

  it('keeps the last 100 messages', () => {
    const full = Array.from({ length: 100 }, (_, i) => sampleMensagem({ id: `m${100 + i}` }))
    const { mensagens } = applyMensagem(full, sampleMensagem({ id: 'm200' }))
    expect(mensagens).toHaveLength(100)
    expect([mensagens.at(0)?.id, mensagens.at(-1)?.id]).toEqual(['m101', 'm200'])
  })

  it('adds a late message in the order of the ids', () => {
    const held = ['m1', 'm3'].map((id) => sampleMensagem({ id }))
    const { mensagens, nova } = applyMensagem(held, sampleMensagem({ id: 'm2' }))
    expect([nova, ...mensagens.map(({ id }) => id)]).toEqual([true, 'm1', 'm2', 'm3'])
  })
})
