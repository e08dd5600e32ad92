import { describe, expect, it } from 'vitest'
import { apos, umaMensagem } from '#testing/amostras.ts'
import { aplicarMensagem, incluirTemporaria, removerTemporaria } from './mensagens.ts'

const temporaria = umaMensagem({
  id: 'tmp-1',
  texto: 'Já vai',
  tipo: 'enviada',
  remetente: 'Operador',
  origem: 'operador',
})
const confirmada = { ...temporaria, id: 'm9', remetente: 'Ana', timestamp: apos(800) }

describe('aplicarMensagem', () => {
  it('appends an unknown message', () => {
    const { mensagens, nova } = aplicarMensagem([umaMensagem()], umaMensagem({ id: 'm2' }))
    expect(mensagens.map((m) => m.id)).toEqual(['m1', 'm2'])
    expect(nova).toBe(true)
  })

  it('replaces the earlier copy of a message with the same id', () => {
    const lista = [umaMensagem({ id: 'm1', estado: 'pendente' }), umaMensagem({ id: 'm2' })]
    const { mensagens, nova } = aplicarMensagem(lista, umaMensagem({ id: 'm1', estado: 'falhou' }))
    expect(mensagens.map((m) => [m.id, m.estado])).toEqual([
      ['m1', 'falhou'],
      ['m2', undefined],
    ])
    expect(nova).toBe(false)
  })

  it('confirms the bubble with the echoed id despite different text and time', () => {
    const lista = incluirTemporaria([], temporaria)
    const { mensagens } = aplicarMensagem(lista, { ...confirmada, texto: 'Já vai!', timestamp: apos(60_000) }, 'tmp-1')
    expect(mensagens).toEqual([{ ...confirmada, texto: 'Já vai!', timestamp: apos(60_000) }])
  })

  it('keeps a bubble with the same text when another id is echoed', () => {
    const { mensagens } = aplicarMensagem(incluirTemporaria([], temporaria), confirmada, 'tmp-2')
    expect(mensagens.map((m) => m.id)).toEqual(['tmp-1', 'm9'])
  })

  it('confirms a bubble by the same text within 5 s without an echoed id', () => {
    const lista = incluirTemporaria([], temporaria)
    expect(aplicarMensagem(lista, { ...confirmada, timestamp: apos(5_000) }).mensagens.map((m) => m.id)).toEqual(['m9'])
    expect(aplicarMensagem(lista, { ...confirmada, timestamp: apos(5_001) }).mensagens).toHaveLength(2)
  })

  it('does not confirm an operator’s bubble with a customer’s equal text', () => {
    const lista = incluirTemporaria([], temporaria)
    expect(aplicarMensagem(lista, umaMensagem({ id: 'm3', texto: 'Já vai' })).mensagens).toHaveLength(2)
  })

  it('removes the bubble when the answer arrived before the echo', () => {
    const lista = [...incluirTemporaria([], temporaria), confirmada]
    expect(aplicarMensagem(lista, confirmada, 'tmp-1').mensagens).toEqual([confirmada])
  })

  it('keeps the later delivery state when an older one arrives', () => {
    const lida = { ...confirmada, estado: 'lida' } as const
    expect(aplicarMensagem([lida], { ...confirmada, estado: 'pendente', texto: 'editada' }).mensagens).toEqual([
      { ...lida, texto: 'editada' },
    ])
    for (const [de, para] of [
      ['pendente', 'enviada'],
      ['enviada', 'entregue'],
      ['enviada', 'falhou'],
      ['falhou', 'pendente'],
      ['limite', 'pendente'],
    ] as const) {
      const [mensagem] = aplicarMensagem([{ ...confirmada, estado: de }], { ...confirmada, estado: para }).mensagens
      expect(mensagem?.estado, `${de} → ${para}`).toBe(para)
    }
  })

  it('keeps the last 100 messages', () => {
    const cheia = Array.from({ length: 100 }, (_, i) => umaMensagem({ id: `m${i}` }))
    const { mensagens } = aplicarMensagem(cheia, umaMensagem({ id: 'm100' }))
    expect(mensagens).toHaveLength(100)
    expect([mensagens.at(0)?.id, mensagens.at(-1)?.id]).toEqual(['m1', 'm100'])
  })
})

describe('removerTemporaria', () => {
  it('removes only the failed bubble', () => {
    const lista = incluirTemporaria([umaMensagem(), confirmada], temporaria)
    expect(removerTemporaria(lista, 'tmp-1')).toEqual([umaMensagem(), confirmada])
    expect(removerTemporaria(lista, 'm9')).toHaveLength(3)
  })
})
