import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LojaConfig } from '@balcao/contract/entities/loja'
import { createTranscript, sampleProdutos, sentTexts, testBotContext } from '#testing/transcript.ts'

const SHOP = ['oi', '3', '2x1'] as const

function start(change: (loja: LojaConfig) => void = () => undefined) {
  const context = testBotContext(
    ({ loja, menu }) => {
      Object.assign(loja, { pedidos: true, lembreteMinutos: 60, pagamentos: ['cartao'] })
      menu.opcoes = [{ numero: '3', titulo: 'Loja', tipo: 'loja', resposta: 'LOJA' }]
      change(loja)
    },
    { produtos: sampleProdutos(3) },
  )
  return createTranscript(context)
}

const REMINDS = /pedido começado[\s\S]*2x Produto 1[\s\S]*fechar/

describe('lembrarCarrinho', () => {
  it('reminds once of the items, and the answer is read in the shop', () => {
    const r = start()
    for (const text of SHOP) r.customer(text)
    r.advance(59)
    expect(r.emit({ tipo: 'lembrarCarrinho' })).toEqual([])
    r.advance(1)
    expect(sentTexts(r.emit({ tipo: 'lembrarCarrinho' }))).toEqual([expect.stringMatching(REMINDS)])
    expect(sentTexts(r.customer('fechar')).join()).toContain('Resumo')
    r.advance(60)
    expect(r.emit({ tipo: 'lembrarCarrinho' })).toEqual([])
  })

  it.each([
    ['after PARAR', ['PARAR']],
    ['while people serve', ['0', 'atendente']],
    ['of an emptied cart', ['limpar']],
    ['of a made order', ['fechar', 'confirmar']],
  ])('says nothing %s', (_, texts) => {
    const r = start()
    for (const text of [...SHOP, ...texts])
      r.customer(text, { pedido: { tipo: 'feito', pedidoId: 'p', numero: 1, totalCentavos: 2_000, pix: null } })
    r.advance(61)
    expect(r.emit({ tipo: 'lembrarCarrinho' })).toEqual([])
  })

  it.each<[string, Partial<LojaConfig>, number]>([
    ['without a time', { lembreteMinutos: 0 }, 61],
    ['with orders switched off', { pedidos: false }, 61],
    ['a day later', {}, 24 * 60],
  ])('says nothing %s', (_, fields, minutes) => {
    const r = start()
    for (const text of SHOP) r.customer(text)
    const { config, ...context } = testBotContext(undefined, { produtos: sampleProdutos(3) })
    const loja = { ...config.loja, pedidos: true, lembreteMinutos: 60, ...fields }
    r.change({ ...context, config: { ...config, loja } })
    r.advance(minutes)
    expect(r.emit({ tipo: 'lembrarCarrinho' })).toEqual([])
  })

  it('says nothing while the owner writes on the phone', () => {
    const r = start()
    for (const text of SHOP) r.customer(text)
    r.advance(60)
    r.ownerWrote(0)
    expect(r.emit({ tipo: 'lembrarCarrinho' })).toEqual([])
  })

  it('reminds at most once of each cart, whatever happens between', () => {
    const act = fc.constantFrom(
      '2x1',
      'tirar 1',
      'carrinho',
      'limpar',
      'oi',
      '0',
      '3',
      'PARAR',
      'VOLTAR',
      'lembrar',
      'lembrar',
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(act, fc.nat(120)), { maxLength: 40 }), (acts) => {
        const r = start()
        let reminded = 0
        for (const [what, minutes] of acts) {
          r.advance(minutes)
          if (what !== 'lembrar') r.customer(what)
          else if (r.emit({ tipo: 'lembrarCarrinho' }).length > 0) {
            reminded += 1
            expect(r.state().paradoEm).toBeNull()
          }
          if ((r.state().carrinho?.itens.length ?? 0) === 0) reminded = 0
          expect(reminded).toBeLessThanOrEqual(1)
        }
      }),
    )
  })
})
