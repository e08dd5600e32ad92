import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configRoute } from '@balcao/contract/routes/config'
import { buscarTrechosRoute } from '@balcao/contract/routes/ia-fontes'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { givenConta } from '#test/builders.ts'
import { createFakeEmbeddings, type FakeEmbeddings } from './fake-embeddings.ts'
import { givenFonte, readFonte } from './fontes-app.ts'
import { HAMBURGUERIA } from './lojas/hamburgueria.ts'
import { MERCADO } from './lojas/mercado.ts'
import { PADARIA } from './lojas/padaria.ts'
import { PETSHOP } from './lojas/petshop.ts'
import { PIZZARIA } from './lojas/pizzaria.ts'
import type { ShopTexts } from './lojas/shop-texts.ts'

const KEYS = { gemini: 'AIzaChaveDosVetoresDeTeste000001', openai: 'sk-chave-dos-vetores-de-teste-01' }
const SHOPS = [PADARIA, PIZZARIA, HAMBURGUERIA, PETSHOP, MERCADO]

const NO_KEYS = { openai: '', anthropic: '', compativel: '' }

interface Shop extends ShopTexts {
  readonly user: Pick<TestUser, 'request' | 'contaId'>
}

let app: TestApp
let fake: FakeEmbeddings
const shops: Shop[] = []

beforeAll(async () => {
  fake = await createFakeEmbeddings(KEYS)
  app = await createTestApp({ geminiUrl: fake.url, openaiUrl: fake.url })
  for (const shop of SHOPS) {
    const user = await givenConta(app, shop.loja)
    const sources = await Promise.all(
      shop.textos.map(({ titulo, texto }) => givenFonte(user, { tipo: 'texto', titulo, texto })),
    )
    for (const fonte of sources) await readFonte(user, fonte)
    shops.push({ ...shop, user })
  }
}, 120_000)
afterAll(async () => {
  await app.close()
  await fake.close()
})

interface Miss {
  readonly loja: string
  readonly pergunta: string
  readonly esperado: string
  readonly achados: readonly string[]
}

/** Every third question was written for the last check: no word list or weight was chosen with it. */
const isKept = (index: number): boolean => index % 3 === 2

async function search(kept: boolean): Promise<{ asked: number; misses: Miss[] }> {
  const questions = shops.flatMap(({ loja, textos, user }) =>
    textos.flatMap(({ titulo: esperado, perguntas }) =>
      perguntas.filter((_, index) => isKept(index) === kept).map((pergunta) => ({ loja, user, esperado, pergunta })),
    ),
  )
  const misses = await Promise.all(
    questions.map(async ({ loja, user, esperado, pergunta }): Promise<Miss[]> => {
      const { body } = await user.request('POST', '/ia/buscar', { pergunta })
      const achados = buscarTrechosRoute.response
        .parse(body)
        .trechos.map(({ titulo }) => titulo)
        .slice(0, 3)
      return achados.includes(esperado) ? [] : [{ loja, pergunta, esperado, achados }]
    }),
  )
  return { asked: questions.length, misses: misses.flat() }
}

async function choose({ request }: Shop['user'], provedor: 'gemini' | 'openai'): Promise<void> {
  const { body } = await request('GET', '/config')
  const config = configRoute.response.parse(body).config
  const ia = { ...config.ia, provedor, chaves: { ...config.ia.chaves, openai: KEYS.openai } }
  const saved = await request('PUT', '/config', { ...config, ia, gemini: { apiKey: KEYS.gemini } })
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.body))
}

async function untilVectors(modelo: string): Promise<void> {
  const other = `select 1 from fontes where modelo_vetores is distinct from '${modelo}' limit 1`
  await waitUntil(async () => (await app.sql(other)).length === 0, 60_000)
}

const shareFound = ({ asked, misses }: { asked: number; misses: readonly Miss[] }): number => 1 - misses.length / asked

describe('search in the texts of five shops', () => {
  it('has at least 200 questions', () => {
    const all = SHOPS.flatMap(({ textos }) => textos.flatMap(({ perguntas }) => perguntas))
    expect(new Set(all).size).toBeGreaterThanOrEqual(200)
  })

  it.each([
    ['first', false],
    ['kept', true],
  ])('finds the right piece of nine in ten %s questions among the first three by words', async (_, kept) => {
    const found = await search(kept)
    expect(shareFound(found), JSON.stringify(found.misses, null, 1)).toBeGreaterThanOrEqual(0.9)
  })

  describe('with vectors', () => {
    beforeAll(async () => {
      for (const { user } of shops) await choose(user, 'gemini')
      await app.sql('update fontes set vetores_em = now()')
      await untilVectors('gemini-embedding-001')
    }, 120_000)

    it.each([
      ['first', false],
      ['kept', true],
    ])('finds it for 19 of 20 %s questions', async (_, kept) => {
      const found = await search(kept)
      expect(shareFound(found), JSON.stringify(found.misses, null, 1)).toBeGreaterThanOrEqual(0.95)
    })

    it('finds as by words while the provider fails', async () => {
      fake.failWith(503)
      const found = await search(false)
      fake.failWith(null)
      expect(shareFound(found)).toBeGreaterThanOrEqual(0.9)
    })

    it('keeps the vectors during a question with unsaved settings of another provider', async () => {
      const ia = { provedor: 'openai', chaves: { ...NO_KEYS, openai: KEYS.openai } }
      for (const { user } of shops) {
        // The fake makes vectors and answers nothing.
        const tried = await user.request('POST', '/gemini/testar', { pergunta: 'Entregam?', ia })
        expect(tried).toMatchObject({ status: 502 })
      }
      expect(
        await app.sql("select 1 from fontes where modelo_vetores is distinct from 'gemini-embedding-001'"),
      ).toEqual([])
    })

    it('gets new vectors from OpenAI after a change of the provider, and then finds by them', async () => {
      for (const { user, textos } of shops) {
        await choose(user, 'openai')
        // Vectors of both providers cannot be compared: this question is answered by words.
        await user.request('POST', '/ia/buscar', { pergunta: textos[0]?.perguntas[0] ?? '' })
      }
      await untilVectors('text-embedding-3-small')
      const pieces = await app.sql('select embedding from fontes_trechos where length(embedding) <> 320')
      expect(pieces).toEqual([])
      const before = fake.openai.length
      const found = await search(true)
      expect(fake.openai).toHaveLength(before + found.asked)
      expect(shareFound(found), JSON.stringify(found.misses, null, 1)).toBeGreaterThanOrEqual(0.95)
    })

    it('gives a source the vectors of its new pieces when it is read again meanwhile', async () => {
      const user = await givenConta(app, 'Loja que lê de novo')
      await choose(user, 'openai')
      const held = fake.holdNext()
      const fonte = await readFonte(
        user,
        await givenFonte(user, { tipo: 'texto', titulo: 'Feriados', texto: 'Abrimos.' }),
      )
      await held.arrived
      await user.request('POST', `/ia/fontes/${fonte.id}/reler`)
      await readFonte(user, fonte)
      const before = fake.openai.length
      held.release()
      await untilVectors('text-embedding-3-small')
      expect(fake.openai).toHaveLength(before + 2)
    })
  })
})
