import { fastify } from 'fastify'
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

/** Returns the writer of a route, as called while the route answers. */
async function writerOf(check: boolean): Promise<(result: unknown) => string | Buffer> {
  const app = fastify()
  const { promise, resolve } = Promise.withResolvers<(result: unknown) => string | Buffer>()
  app.get('/', (_request, answer) => {
    resolve((result) => createAnswerWriter(reply, check)(answer, result))
    return ''
  })
  await app.inject('/')
  return promise
}

const parsed = {
  contatos: [
    { nome: 'Ana', telefone: null, senhaHash: 'segredo' },
    { nome: 'Bia', telefone: '11', apelido: 'Bi', extras: { cor: 'azul', senhaHash: 'segredo' } },
  ],
  total: 2,
  interno: { senhaHash: 'segredo' },
}

it.each([true, false])('cuts unknown fields at every depth (check: %s)', async (check) => {
  const write = await writerOf(check)
  expect(JSON.parse(String(write(parsed)))).toEqual({
    contatos: [
      { nome: 'Ana', telefone: null },
      { nome: 'Bia', telefone: '11', apelido: 'Bi', extras: { cor: 'azul' } },
    ],
    total: 2,
  })
})

it('throws on a wrong value if check is true', async () => {
  const write = await writerOf(true)
  expect(() => write({ ...parsed, total: 'dois' })).toThrow()
})

it('leaves a missing field out of the answer if check is false', async () => {
  const write = await writerOf(false)
  expect(JSON.parse(String(write({ contatos: [{ nome: 'Ana' }] })))).toEqual({ contatos: [{ nome: 'Ana' }] })
})
