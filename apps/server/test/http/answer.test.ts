import * as z from 'zod/mini'
import { expect, it } from 'vitest'
import { createAnswerWriter } from '#http/answer.ts'

const contato = z.object({
  nome: z.string(),
  telefone: z.nullable(z.string()),
  apelido: z.optional(z.string()),
  extras: z.optional(z.union([z.string(), z.object({ cor: z.string() })])),
})
const reply = z.object({ contatos: z.array(contato), total: z.int() })

const parsed = {
  contatos: [
    { nome: 'Ana', telefone: null, senhaHash: 'segredo' },
    { nome: 'Bia', telefone: '11', apelido: 'Bi', extras: { cor: 'azul', senhaHash: 'segredo' } },
  ],
  total: 2,
  interno: { senhaHash: 'segredo' },
}

it.each([true, false])('cuts unknown fields at every depth (conferir: %s)', (check) => {
  expect(JSON.parse(String(createAnswerWriter(reply, check)(parsed)))).toEqual({
    contatos: [
      { nome: 'Ana', telefone: null },
      { nome: 'Bia', telefone: '11', apelido: 'Bi', extras: { cor: 'azul' } },
    ],
    total: 2,
  })
})

it('throws on a wrong value if conferir is true', () => {
  expect(() => createAnswerWriter(reply, true)({ ...parsed, total: 'dois' })).toThrow()
})
