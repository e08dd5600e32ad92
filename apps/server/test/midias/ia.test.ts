import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { configSchema } from '@balcao/contract/entities/config'
import { VALID_KEY, createFakeGemini, type FakeGemini } from '#test/ia/fake-gemini.ts'
import { pdf, png } from './sample-files.ts'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { chatOf, connectBot, formFile, sendAsCustomer } from '#test/builders.ts'

const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })
const TELEFONE = '11940001000'

let falso: FakeGemini
let app: TestApp
let dona: TestUser
beforeAll(async () => {
  falso = await createFakeGemini()
  app = await createTestApp({ geminiUrl: falso.url })
  dona = app.admin
  await connectBot(dona)
  const { config } = configRespostaSchema.parse((await dona.request('GET', '/config')).body)
  const ia = { ...config.ia, ativa: true, apiKey: VALID_KEY, esperaSegundos: 0, lerMidia: true }
  expect((await dona.request('PUT', '/config', { ...config, ia })).status).toBe(200)
})
afterAll(async () => {
  await app.close()
  await falso.close()
})

it('sends a customer’s image to the model, but no document', async () => {
  await sendAsCustomer(dona, TELEFONE, { texto: 'oi' })
  await waitUntil(async () => (await chatOf(dona, TELEFONE)).some(({ de }) => de === 'bot'))
  await sendAsCustomer(dona, TELEFONE, { texto: 'Vocês fazem deste?', arquivo: formFile(png(100), 'bolo.png') })
  const pedido = await waitUntil(() => falso.requests.at(-1) ?? null)
  const partes = pedido.body.contents.at(-1)?.parts ?? []
  expect(partes.flatMap(({ inlineData }) => inlineData ?? [])).toEqual([
    { mimeType: 'image/png', data: png(100).toString('base64') },
  ])
  expect(pedido.pergunta).toContain('Vocês fazem deste?')
  await waitUntil(async () => (await chatOf(dona, TELEFONE)).some(({ texto }) => texto.startsWith('ECO')))
  await sendAsCustomer(dona, TELEFONE, { texto: 'E o preço nesta lista?', arquivo: formFile(pdf(), 'lista.pdf') })
  const other = await waitUntil(() => falso.requests[1] ?? null)
  expect(other.body.contents.at(-1)?.parts.some(({ inlineData }) => inlineData !== undefined)).toBe(false)
})
