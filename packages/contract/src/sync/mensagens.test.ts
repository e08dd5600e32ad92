import { describe, expect, it } from 'vitest'
import { afterInstant, sampleMensagem } from '#testing/samples.ts'
import { applyMensagem, appendTemporary, removeTemporary } from './mensagens.ts'

const temporary = sampleMensagem({
  id: 'tmp-1',
  texto: 'Já vai',
  tipo: 'enviada',
  remetente: 'Operador',
  origem: 'operador',
})
const confirmed = { ...temporary, id: 'm9', remetente: 'Ana', timestamp: afterInstant(800) }

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

  it('confirms the bubble with the echoed id despite different text and time', () => {
    const lista = appendTemporary([], temporary)
    const { mensagens } = applyMensagem(
      lista,
      { ...confirmed, texto: 'Já vai!', timestamp: afterInstant(60_000) },
      'tmp-1',
    )
    expect(mensagens).toEqual([{ ...confirmed, texto: 'Já vai!', timestamp: afterInstant(60_000) }])
  })

  it('keeps a bubble with the same text when another id is echoed', () => {
    const { mensagens } = applyMensagem(appendTemporary([], temporary), confirmed, 'tmp-2')
    expect(mensagens.map((m) => m.id)).toEqual(['tmp-1', 'm9'])
  })

  it('confirms a bubble by the same text within 5 s without an echoed id', () => {
    const lista = appendTemporary([], temporary)
    expect(applyMensagem(lista, { ...confirmed, timestamp: afterInstant(5_000) }).mensagens.map((m) => m.id)).toEqual([
      'm9',
    ])
    expect(applyMensagem(lista, { ...confirmed, timestamp: afterInstant(5_001) }).mensagens).toHaveLength(2)
  })

  it('does not confirm an operator’s bubble with a customer’s equal text', () => {
    const lista = appendTemporary([], temporary)
    expect(applyMensagem(lista, sampleMensagem({ id: 'm3', texto: 'Já vai' })).mensagens).toHaveLength(2)
  })

  it('removes the bubble when the answer arrived before the echo', () => {
    const lista = [...appendTemporary([], temporary), confirmed]
    expect(applyMensagem(lista, confirmed, 'tmp-1').mensagens).toEqual([confirmed])
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

  it('keeps the last 100 messages', () => {
    const full = Array.from({ length: 100 }, (_, i) => sampleMensagem({ id: `m${i}` }))
    const { mensagens } = applyMensagem(full, sampleMensagem({ id: 'm100' }))
    expect(mensagens).toHaveLength(100)
    expect([mensagens.at(0)?.id, mensagens.at(-1)?.id]).toEqual(['m1', 'm100'])
  })
})

describe('removerTemporaria', () => {
  it('removes only the failed bubble', () => {
    const lista = appendTemporary([sampleMensagem(), confirmed], temporary)
    expect(removeTemporary(lista, 'tmp-1')).toEqual([sampleMensagem(), confirmed])
    expect(removeTemporary(lista, 'm9')).toHaveLength(3)
  })
})
