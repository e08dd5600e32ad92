import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { configSchema } from '@balcao/contract/entities/config'
import { ate } from '#test/bot/house.ts'
import { CHAVE_BOA, createGeminiFalso, type GeminiFalso } from '#test/ia/gemini-falso.ts'
import { pdf, png } from './amostras.ts'
import { arquivo, type CasaMidias, createCasaMidias, type Pessoa } from './casa.ts'

const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })
const TELEFONE = '11940001000'

let falso: GeminiFalso
let casa: CasaMidias
let dona: Pessoa
beforeAll(async () => {
  falso = await createGeminiFalso()
  casa = await createCasaMidias({ geminiUrl: falso.url })
  dona = await casa.entrar()
  await dona.conectar()
  const { config } = configRespostaSchema.parse((await dona.pedir('GET', '/config')).body)
  const ia = { ...config.ia, ativa: true, apiKey: CHAVE_BOA, esperaSegundos: 0 }
  expect((await dona.pedir('PUT', '/config', { ...config, ia })).status).toBe(200)
})
afterAll(async () => {
  await casa.close()
  await falso.close()
})

it('sends a customer’s image to the model, but no document', async () => {
  await dona.cliente(TELEFONE, { texto: 'oi' })
  await ate(async () => (await dona.chat(TELEFONE)).some(({ de }) => de === 'bot'))
  await dona.cliente(TELEFONE, { texto: 'Vocês fazem deste?', arquivo: arquivo(png(100), 'bolo.png') })
  const pedido = await ate(() => falso.pedidos.at(-1) ?? null)
  const partes = pedido.corpo.contents.at(-1)?.parts ?? []
  expect(partes.flatMap(({ inlineData }) => inlineData ?? [])).toEqual([
    { mimeType: 'image/png', data: png(100).toString('base64') },
  ])
  expect(pedido.pergunta).toContain('Vocês fazem deste?')
  await ate(async () => (await dona.chat(TELEFONE)).some(({ texto }) => texto.startsWith('ECO')))
  await dona.cliente(TELEFONE, { texto: 'E o preço nesta lista?', arquivo: arquivo(pdf(), 'lista.pdf') })
  const outro = await ate(() => falso.pedidos[1] ?? null)
  expect(outro.corpo.contents.at(-1)?.parts.some(({ inlineData }) => inlineData !== undefined)).toBe(false)
})
