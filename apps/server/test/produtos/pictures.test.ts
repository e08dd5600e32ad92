import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import sharp from 'sharp'
import { sweepArquivos } from '#modules/arquivos/index.ts'
import { pdf, zip } from '#test/midias/sample-files.ts'
import { padPng, testPicture, hugePng, noisePicture } from './test-pictures.ts'
import {
  SAMPLE_PRODUTO,
  listProdutos,
  formWithPicture,
  createProduto,
  uploadPicture,
  formWith,
  produtoFrom,
} from './loja-requests.ts'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { givenConta } from '#test/builders.ts'

const DIA_MS = 86_400_000
const CAMPOS = { ...SAMPLE_PRODUTO, preco: '39.9' }

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const novaDona = (): Promise<TestUser> => givenConta(app)

async function baixar(url: string): Promise<{ resposta: Response; bytes: Buffer }> {
  const resposta = await fetch(`${app.url}${url}`)
  return { resposta, bytes: Buffer.from(await resposta.arrayBuffer()) }
}

async function urlDeUpload(dona: TestUser, bytes: Buffer): Promise<string> {
  const { status, body } = await uploadPicture(dona, bytes)
  expect([status, Object.keys(body)]).toEqual([201, ['url']])
  return String(body['url'])
}

describe('produto picture', () => {
  it('is re-encoded as upright WebP without metadata', async () => {
    const dona = await novaDona()
    const gps = { IFD0: { Copyright: 'SEGREDO', ImageDescription: 'SEGREDO' }, IFD3: { GPSLatitude: '23/1 33/1 0/1' } }
    const sent = await testPicture(2_000, 1_000).withExif(gps).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect(sent.toString('latin1')).toContain('SEGREDO')
    const { imagemUrl } = produtoFrom(await dona.request('POST', '/produtos', formWithPicture(sent, CAMPOS)))
    expect(imagemUrl).toMatch(/^\/api\/imagens\/[0-9a-f]{32}\.webp$/)

    const { resposta, bytes } = await baixar(String(imagemUrl))
    expect(Object.fromEntries(resposta.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': String(bytes.length),
    })
    const { format, width, height, exif, orientation } = await sharp(bytes).metadata()
    expect({ format, width, height, exif, orientation }).toEqual({ format: 'webp', width: 800, height: 1_600 })
    expect(bytes.toString('latin1')).not.toContain('SEGREDO')

    const mini = await baixar(`${imagemUrl}?mini`)
    expect(await sharp(mini.bytes).metadata()).toMatchObject({ format: 'webp', width: 160, height: 320 })
    const outraVez = await fetch(`${app.url}${imagemUrl}`, {
      headers: { 'if-none-match': resposta.headers.get('etag') ?? '' },
    })
    expect(outraVez.status).toBe(304)
    expect(await app.filesOnDisk(dona.contaId)).toHaveLength(2)
  })

  it('accepts PNG, JPEG and the first page of WebP', async () => {
    const dona = await novaDona()
    const quadros = await sharp(
      [await testPicture(40, 30).png().toBuffer(), await noisePicture(40, 30).png().toBuffer()],
      {
        join: { animated: true },
      },
    )
      .webp()
      .toBuffer()
    const png = await testPicture(40, 30).png().toBuffer()
    const full = padPng(png, 5_242_880)
    for (const bytes of [png, full, await testPicture(40, 30).jpeg().toBuffer(), quadros]) {
      const stored = await sharp((await baixar(await urlDeUpload(dona, bytes))).bytes).metadata()
      expect(stored).toMatchObject({ width: 40, height: 30 })
      expect(stored.pages ?? 1).toBe(1)
    }
  })

  it('rejects invalid, polyglot, broken and oversized files and stores nothing', async () => {
    const dona = await novaDona()
    const png = await testPicture(20, 20).png().toBuffer()
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const NENHUMA = 'Apenas arquivos de imagem são permitidos'
    const refused: [Buffer, number, string | RegExp][] = [
      [svg, 400, NENHUMA],
      [Buffer.from(`<?xml version="1.0"?>${svg.toString()}`), 400, NENHUMA],
      [pdf(), 400, NENHUMA],
      [await testPicture(20, 20).gif().toBuffer(), 400, NENHUMA],
      [await testPicture(20, 20).tiff().toBuffer(), 400, NENHUMA],
      [Buffer.concat([png, zip('a.txt')]), 400, NENHUMA],
      [Buffer.concat([png, svg]), 400, NENHUMA],
      [Buffer.alloc(0), 400, NENHUMA],
      [png.subarray(0, png.length - 30), 400, /^Não foi possível ler/],
      [(await noisePicture(300, 300).jpeg().toBuffer()).subarray(0, 9_000), 400, /^Não foi possível ler/],
      [Buffer.concat([png, Buffer.alloc(5_242_881 - png.length)]), 413, 'Imagem deve ter no máximo 5MB'],
    ]
    const { id } = await createProduto(dona)
    for (const [bytes, status, error] of refused) {
      const quando = `${bytes.length} bytes`
      const expected = typeof error === 'string' ? error : expect.stringMatching(error)
      for (const reply of [
        await uploadPicture(dona, bytes),
        await dona.request('POST', '/produtos', formWithPicture(bytes, CAMPOS)),
        await dona.request('PUT', `/produtos/${id}`, formWithPicture(bytes)),
      ]) {
        expect([quando, reply.status, reply.body['erro']]).toEqual([quando, status, expected])
      }
    }
    expect(await listProdutos(dona)).toMatchObject([{ id, imagemUrl: null }])
    expect(await app.filesOnDisk(dona.contaId)).toEqual([])
    expect(await app.sql('select 1 from arquivos where conta_id = $1', [dona.contaId])).toEqual([])
    expect((await dona.request('POST', '/upload', formWith({ outro: 'campo' }))).status).toBe(400)
  })

  it('rejects 30,000 × 30,000 pixels by the header without decoding', async () => {
    const dona = await novaDona()
    const enorme = await hugePng(30_000)
    await urlDeUpload(dona, await testPicture(20, 20).png().toBuffer())
    const { maxRSS } = process.resourceUsage()
    const { status, body } = await uploadPicture(dona, enorme)
    expect([status, body['erro']]).toEqual([413, 'Esta imagem tem pontos demais. Use uma de até 24 megapixels.'])
    // In kilobytes; decoding would take over 800,000.
    expect(process.resourceUsage().maxRSS - maxRSS).toBeLessThan(100_000)
    await urlDeUpload(dona, await hugePng(4_898))
    expect((await uploadPicture(dona, await hugePng(4_900))).status).toBe(413)
  })

  it('is stored while three other contas fill the places of the decoder', async () => {
    const [dona, ...others] = await Promise.all([novaDona(), novaDona(), novaDona(), novaDona()])
    const [small, large] = [await testPicture(20, 20).png().toBuffer(), await hugePng(4_898)]
    let refused = 0
    const uploads = others.flatMap((other) =>
      Array.from({ length: 10 }, async () => {
        const { status } = await uploadPicture(other, large)
        if (status === 503) refused += 1
      }),
    )
    await waitUntil(() => refused > 0)
    expect((await uploadPicture(dona, small)).status).toBe(201)
    await Promise.all(uploads)
  })

  it('stores several parallel uploads', async () => {
    const dona = await novaDona()
    const bytes = await noisePicture(300, 300).jpeg().toBuffer()
    const done = await Promise.all(Array.from({ length: 8 }, () => urlDeUpload(dona, bytes)))
    expect(new Set(done).size).toBe(8)
    for (const url of done) expect((await baixar(url)).resposta.status).toBe(200)
  })
})

describe('loja storage quota', () => {
  it('limits an account to 200 pictures and 200 MB under parallel uploads', async () => {
    const dona = await novaDona()
    const bytes = await testPicture(20, 20).png().toBuffer()
    const encher = (count: number, tamanho: number) =>
      app.sql(
        `insert into arquivos (conta_id, nome, uso, tipo, tamanho, estado, criado_em)
         select $1, md5(random()::text) || '.webp', 'produto', 'image/webp', $3, 'pronto', now() from generate_series(1, $2)`,
        [dona.contaId, count, tamanho],
      )
    await encher(197, 10)
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => uploadPicture(dona, bytes)))).map(
      ({ status }) => status,
    )
    expect(statuses.filter((status) => status === 201)).toHaveLength(3)
    expect(statuses.filter((status) => status === 413)).toHaveLength(5)
    expect((await uploadPicture(dona, bytes)).body).toMatchObject({ codigo: 'armazenamentoCheio' })
    await app.sql('delete from arquivos where conta_id = $1', [dona.contaId])
    await encher(1, 200 * 1_048_576)
    expect((await uploadPicture(dona, bytes)).status).toBe(413)
    await app.sql(`update arquivos set uso = 'midia' where conta_id = $1`, [dona.contaId])
    expect((await uploadPicture(dona, bytes)).status).toBe(201)
  })

  it('refuses a picture before decoding when pictures that only chats show take 1 GB', async () => {
    const dona = await novaDona()
    await app.sql(
      `insert into arquivos (conta_id, nome, uso, tipo, tamanho, estado, criado_em)
       values ($1, md5(random()::text) || '.webp', 'historico', 'image/webp', $2, 'pronto', now())`,
      [dona.contaId, 1_073_741_824],
    )
    // A decoder refuses this picture with 400.
    const broken = (await testPicture(20, 20).png().toBuffer()).subarray(0, -30)
    expect((await uploadPicture(dona, broken)).body).toMatchObject({ codigo: 'armazenamentoCheio' })
    await app.sql('delete from arquivos where conta_id = $1', [dona.contaId])
    expect((await uploadPicture(dona, broken)).status).toBe(400)
  })

  it('frees the quota when a picture is replaced, removed, deleted or unused', async () => {
    const dona = await novaDona()
    const bytes = await testPicture(20, 20).png().toBuffer()
    const loose = await urlDeUpload(dona, bytes)
    const emprestada = await urlDeUpload(dona, bytes)
    const um = await createProduto(dona, { imagemUrl: emprestada })
    const two = await createProduto(dona, { imagemUrl: emprestada })
    const fresh = produtoFrom(await dona.request('PUT', `/produtos/${um.id}`, formWithPicture(bytes)))
    expect((await baixar(emprestada)).resposta.status).toBe(200)
    await dona.request('PUT', `/produtos/${two.id}`, formWith({ imagemUrl: '' }))
    expect((await baixar(emprestada)).resposta.status).toBe(404)
    await dona.request('DELETE', `/produtos/${fresh.id}`)
    expect((await baixar(String(fresh.imagemUrl))).resposta.status).toBe(404)
    expect(await listProdutos(dona)).toMatchObject([{ id: two.id, imagemUrl: null }])

    const fica = produtoFrom(await dona.request('PUT', `/produtos/${two.id}`, formWithPicture(bytes)))
    const after = { ...app.deps, clock: { now: () => new Date(Date.now() + DIA_MS + 1) } }
    expect(await sweepArquivos(app.deps, dona.contaId)).toBe(0)
    expect((await baixar(loose)).resposta.status).toBe(200)
    expect(await sweepArquivos(after, dona.contaId)).toBe(2)
    expect((await baixar(loose)).resposta.status).toBe(404)
    expect((await baixar(`${fica.imagemUrl}?mini`)).resposta.status).toBe(200)
    expect(await app.filesOnDisk(dona.contaId)).toHaveLength(2)
  })

  it('hides pictures of another account', async () => {
    const [dona, other] = [await novaDona(), await novaDona()]
    const url = await urlDeUpload(dona, await testPicture(20, 20).png().toBuffer())
    expect((await other.request('POST', '/produtos', { ...SAMPLE_PRODUTO, imagemUrl: url })).status).toBe(400)
    expect((await baixar(url.replace('imagens', 'midias'))).resposta.status).toBe(404)
    expect((await baixar(`/api/imagens/${'0'.repeat(32)}.webp`)).resposta.status).toBe(404)
    expect((await baixar('/api/imagens/..%2f..%2fsegredo')).resposta.status).toBe(404)
  })
})
