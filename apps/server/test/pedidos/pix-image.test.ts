import jsqr from 'jsqr'
import sharp from 'sharp'
import emv from 'steplix-emv-qrcps'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { configRoute } from '@balcao/contract/routes/config'
import { pixPictureUrl } from '@balcao/engine/pedidos/pix'
import { createTestApp, type TestApp, waitUntil } from '#test/app.ts'
import { openConversas } from '#test/builders.ts'
import { createFakeMeta, type FakeMeta, textOf } from '#test/oficial/fake-meta.ts'
import { createMetaCustomer, type MetaLoja, startMetaLoja, untilSettled } from '#test/oficial/meta-loja.ts'

/** On the official line, which joins messages and uploads pictures. */

let meta: FakeMeta
let app: TestApp
let loja: MetaLoja
let produtoId: string

beforeAll(async () => {
  meta = await createFakeMeta()
  app = await createTestApp({
    oficialUrl: meta.url,
    oficialTimings: { confirmationMs: 50, reconnectDelay: () => 50 },
  })
  loja = await startMetaLoja(app, meta, { juntarMensagens: 'oficial' })
  const { config } = configRoute.response.parse((await app.request('GET', '/config')).body)
  const pix = { chave: '11222333000181', nome: 'Padaria Aurora', cidade: 'São Paulo' }
  const saved = await app.request('PUT', '/config', {
    ...config,
    loja: { ...config.loja, pedidos: true, pagamentos: ['pix', 'dinheiro'], pix },
  })
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  const { body } = await app.request('POST', '/produtos', { nome: 'Empada', descricao: 'Frango', preco: 7.5 })
  produtoId = z.object({ produto: z.object({ id: z.string() }) }).parse(body).produto.id
})
afterAll(async () => {
  await app?.close()
  await meta?.close()
})

const customer = (number: string) => createMetaCustomer({ app: () => app, loja: () => loja, meta, name: 'Ana', number })

async function readQr(picture: Buffer): Promise<string | undefined> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data
}

/** The code of a message, alone as text or behind the button of an order. */
function codeOf(message: object = {}): string {
  return /"(?:body|code)":"(000201[^"]+)"/.exec(JSON.stringify(message))?.[1] ?? ''
}

/** The code alone in its message, then its picture, as the customer gets them. */
async function expectPix(ana: ReturnType<typeof customer>, total: string): Promise<string> {
  await waitUntil(() => ana.received().some(({ type }) => type === 'image'))
  await untilSettled(app)
  const sent = ana.received()
  const code = sent.map(codeOf).find((text) => text !== '') ?? ''
  // Field 54 is the sum; the library computes the check digits again.
  expect(code).toContain(`54${String(total.length).padStart(2, '0')}${total}`)
  expect(emv.Merchant.Parser.toEMVQR(code).generatePayload()).toBe(code)
  expect(emv.Merchant.Parser.toEMVQR(code).rawData()).toContain('br.gov.bcb.pix')
  const last = sent.at(-1)
  expect(last?.type).toBe('image')
  expect(codeOf(sent.at(-2))).toBe(code)
  expect(textOf(sent.at(-3) ?? {})).toContain('copia e cola')
  expect(sent.filter(({ type }) => type === 'image')).toHaveLength(1)
  const file = [...meta.files.values()].at(-1)
  expect(file?.mime).toBe('image/png')
  expect(await readQr(file?.bytes ?? Buffer.alloc(0))).toBe(code)
  return code
}

describe('the PIX code of an order', () => {
  it('leaves alone, with its picture behind it, when a customer confirms', async () => {
    const ana = customer('5511931110001')
    for (const text of ['oi', '3', '2 empadas', 'fechar', 'pix', 'confirmar']) {
      await ana.says(text)
      await untilSettled(app)
    }
    await expectPix(ana, '15.00')
  })

  it('leaves once when a person writes the order, and not for money', async () => {
    const ana = customer('5511931110002')
    await ana.says('oi')
    await untilSettled(app)
    await ana.says('atendente')
    await untilSettled(app)
    const conversa = await waitUntil(
      async () => (await openConversas(app.admin)).find(({ cliente }) => cliente.telefone === ana.number) ?? null,
    )
    const write = (forma: string) =>
      app.request('POST', '/pedidos', {
        ...{ conversaId: conversa.id, itens: [{ produtoId, quantidade: 1 }] },
        ...{ entrega: { tipo: 'retirada' }, pagamento: { forma } },
      })
    expect((await write('dinheiro')).status).toBe(201)
    await untilSettled(app)
    expect(ana.received().filter(({ type }) => type === 'image')).toEqual([])
    expect((await write('pix')).status).toBe(201)
    const code = await expectPix(ana, '7.50')
    const { body } = await app.request('GET', '/pedidos?limite=1')
    const [pedido] = z.object({ pedidos: z.array(z.object({ id: z.string() })) }).parse(body).pedidos
    expect((await app.request('GET', `/pedidos/${pedido?.id}/pix`)).body).toMatchObject({ copiaECola: code })
  })

  it('is drawn for everyone who has it, and no other text is', async () => {
    const code = meta.messages.map(codeOf).find((text) => text !== '') ?? ''
    const reply = await fetch(app.url + pixPictureUrl(code))
    expect(reply.headers.get('content-type')).toBe('image/png')
    expect(await readQr(Buffer.from(await reply.arrayBuffer()))).toBe(code)
    for (const other of ['', 'https://example.com', code.replace(/.$/, '#')])
      expect((await fetch(app.url + pixPictureUrl(other))).status).toBe(404)
  })
})
