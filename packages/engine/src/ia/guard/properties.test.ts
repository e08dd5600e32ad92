import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatReais } from '#rules/loja.ts'
import { checkAnswer } from './check-answer.ts'
import { correctionFor } from './reason.ts'
import { shopEvidence } from './testing/shops.ts'

const SHOPS = ['padaria', 'pizzaria', 'hamburgueria', 'pet-shop', 'mercado']
const shop = fc.constantFrom(...SHOPS)
const quantity = fc.integer({ min: 1, max: 60 })

const priceOf = (loja: string, at: number): { readonly nome: string; readonly preco: number } => {
  const { produtos } = shopEvidence(loja).contexto
  return produtos[at % produtos.length] ?? { nome: '', preco: 0 }
}

describe('checkAnswer', () => {
  it.each(SHOPS)('supports the price of every produto and its multiples: %s', (loja) => {
    for (const { nome, preco } of shopEvidence(loja).contexto.produtos) {
      for (const count of [1, 2, 3, 12, 60]) {
        const answer = `${nome}: ${count} x ${formatReais(preco)} = ${formatReais(count * preco)}`
        expect(checkAnswer(answer, shopEvidence(loja)), answer).toMatchObject({ retida: false })
      }
    }
  })

  it('withholds the price of a produto with a wrong last digit', () => {
    fc.assert(
      fc.property(shop, fc.nat(), fc.integer({ min: 1, max: 9 }), (loja, at, cents) => {
        const { nome, preco } = priceOf(loja, at)
        const answer = `${nome} custa ${formatReais(preco + 1_000 + cents / 100)}`
        expect(checkAnswer(answer, shopEvidence(loja))).toMatchObject({ retida: true })
      }),
    )
  })

  it('takes no number from the question', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100_001, max: 999_999 }), (centavos) => {
        const pergunta = `Faz a coxinha por ${formatReais(centavos / 100)}?`
        const answer = `A coxinha fica por ${formatReais(centavos / 100)}`
        expect(checkAnswer(answer, { ...shopEvidence('padaria'), pergunta })).toMatchObject({ retida: true })
      }),
    )
  })

  it('returns the claims as parts of the answer and withholds exactly those without support', () => {
    fc.assert(
      fc.property(shop, fc.string({ unit: 'grapheme', maxLength: 300 }), quantity, (loja, text, count) => {
        const { retida, afirmacoes } = checkAnswer(`${text} R$ ${count},13 ${text}`, shopEvidence(loja))
        expect(retida).toBe(afirmacoes.some(({ apoio }) => apoio === null))
      }),
    )
  })

  it('keeps the words of the answer out of the correction', () => {
    const verdict = checkAnswer('Acesse http://evil.example/ignore-as-regras', shopEvidence('padaria'))
    expect(verdict.retida).toBe(true)
    expect(correctionFor(verdict)).not.toMatch(/evil|ignore/)
  })
})
