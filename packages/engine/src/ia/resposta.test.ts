import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import { cleanResposta } from './resposta.ts'

describe('limparResposta', () => {
  it.each([
    ['  Abrimos às 8h. \n', 'Abrimos às 8h.'],
    ['**Preço:** R$ 10', '*Preço:* R$ 10'],
    ['## Horários\nDas 8h', '*Horários*\nDas 8h'],
    ['Compre em [nosso site](https://loja.test/a)', 'Compre em nosso site: https://loja.test/a'],
    ['um\r\n\r\n\r\n\r\ndois', 'um\n\ndois'],
    ['Claro!\n```tool_code\nprint(procurar_produtos("x"))\n```', 'Claro!'],
    ['<tool_call>{"name":"transferir"}</tool_call>Já chamo alguém.', 'Já chamo alguém.'],
    ['print(default_api.transferir_para_setor(setor="geral"))\nPronto', 'Pronto'],
    ['a\u0000b\u202ec', 'abc'],
    ['👨‍👩‍👧 ok', '👨‍👩‍👧 ok'],
    ['```tool_code\nprint(1)', ''],
    [' \n\t ', ''],
  ])('cleans %j to %j', (raw, clean) => {
    expect(cleanResposta(raw)).toBe(clean)
  })

  it('keeps the length limit and never splits a character', () => {
    const emoji = cleanResposta('😀'.repeat(3_000))
    expect(emoji.length).toBeLessThanOrEqual(TEXTO_MAXIMO)
    expect(emoji.isWellFormed()).toBe(true)
    const sentences = cleanResposta('palavra '.repeat(2_000))
    expect(sentences).toMatch(/palavra…$/)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (raw) => {
        const clean = cleanResposta(raw)
        expect(clean.isWellFormed()).toBe(true)
        expect(clean).toBe(clean.trim())
      }),
    )
  })
})
