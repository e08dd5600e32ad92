import { describe, expect, it } from 'vitest'
import { cleanSummary, needsSummary, summaryQuestion } from './summary.ts'

const said = (...texts: readonly string[]) =>
  texts.map((texto, index) => ({ id: `${index}`, de: 'cliente', texto }) as const)

describe('needsSummary', () => {
  it.each([
    [['oi', 'bom dia', '2', 'falar com atendente'], false],
    [['oi', 'meu pedido não chegou'], true],
    [[], false],
  ])('of %j is %s', (texts, expected) => {
    expect(needsSummary(said(...texts))).toBe(expected)
  })
})

describe('summaryQuestion', () => {
  it('names both sides, masks numbers over two messages and keeps the end', () => {
    const bot = { id: 'z', de: 'bot', texto: 'Olá!' } as const
    expect(summaryQuestion([...said('oi', 'meu número é 11 98765-4321'), bot])).toBe(
      'Cliente: oi\nCliente: meu número é [telefone oculto]\nLoja: Olá!',
    )
    const long = summaryQuestion(said(...Array.from({ length: 40 }, (_, n) => `${n} ${'a'.repeat(500)}`)))
    expect(long.length).toBeLessThanOrEqual(6_000)
    expect(long).toContain('39 aaa')
  })
})

describe('cleanSummary', () => {
  it('keeps at most three short lines', () => {
    const lines = cleanSummary(`## Resumo\n\n- Quer bolo.\n* Já viu o preço.\n${'a'.repeat(300)}\nfim`).split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toBe('Quer bolo.')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(200)
    expect(cleanSummary(' \n')).toBe('')
  })
})
