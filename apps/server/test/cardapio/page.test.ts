import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, type TestUser } from '#test/app.ts'
import { givenConta, saveConfig, setComponentes } from '#test/builders.ts'
import { givenProduto, savePage, TestVisit, withPage } from './shop-page.ts'

/** The menu on the web as strangers read it. */

let app: TestApp
let dist: string
let dona: TestUser
let bia: TestUser
let addresses = 0

const visit = (endereco: string): TestVisit => new TestVisit(app, endereco, `203.0.113.${(addresses += 1)}`)
const statusOf = async (endereco: string): Promise<number> => (await visit(endereco).open()).status

beforeAll(async () => {
  dist = await mkdtemp('/tmp/balcao-dist-')
  for (const name of ['index', 'app', 'cardapio'])
    await writeFile(join(dist, `${name}.html`), '<head><!--cabecalho--></head>')
  app = await createTestApp({ dist, trustProxy: true, settings: { urlPublica: 'https://balcao.exemplo' } })
  dona = await givenConta(app)
  bia = await givenConta(app, 'Dona Bia', { empresa: 'Bia Doces' })
})
afterAll(async () => {
  await app?.close()
  await rm(dist, { recursive: true, force: true })
})

describe('GET /publico/lojas/:endereco', () => {
  it('shows active produtos by category, without stock, prices of the panel and private fields', async () => {
    await savePage(dona, 'aurora')
    const grupos = [
      {
        ...{ id: 'sabor', nome: 'Sabor', minimo: 1, maximo: 1, preco: 'soma' },
        opcoes: [
          { id: 'f', nome: 'Frango', acrescimoCentavos: 150, ativa: true },
          { id: 'x', nome: 'Fora', acrescimoCentavos: 0, ativa: false },
        ],
      },
    ]
    await givenProduto(dona, { nome: 'Sem grupo', estoque: 0 })
    await givenProduto(dona, { nome: 'Pastel', categoria: 'Salgados', preco: 7.5, estoque: 3, grupos })
    await givenProduto(dona, { nome: 'Escondido', ativo: false })
    const { text } = await visit('aurora').open()
    const menu = await visit('aurora').menu()
    expect(menu).toMatchObject({
      ...{ nome: 'Padaria Aurora', descricao: 'Pão quente', aberto: true, pedidos: true, aceitaAgora: true },
      ...{ retirada: true, pagamentos: ['dinheiro', 'cartao'], minimoCentavos: 1_500, whatsapp: null },
      entrega: { ativa: true, bairros: ['Centro'] },
      situacao: 'aberto o tempo todo',
    })
    expect(menu.categorias.map(({ nome, produtos }) => [nome, ...produtos.map((produto) => produto.nome)])).toEqual([
      ['Salgados', 'Pastel'],
      ['', 'Sem grupo'],
    ])
    const [pastel] = menu.categorias[0]?.produtos ?? []
    expect(pastel).toMatchObject({ precoCentavos: 750, disponivel: true, grupos: [{ opcoes: [{ id: 'f' }] }] })
    expect(menu.categorias[1]?.produtos[0]?.disponivel).toBe(false)
    const withoutIds = text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '')
    expect(withoutIds).not.toMatch(/estoque|sinonimos|Escondido|Fora|chave|700/)
  })

  it('answers 304 to the same ETag, and another one after a change', async () => {
    const id = await givenProduto(dona, { nome: 'Empada' })
    const first = await visit('aurora').open()
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    const again = (tag: string) =>
      fetch(`${app.url}/api/publico/lojas/aurora`, { headers: { 'if-none-match': tag, 'accept-encoding': 'gzip' } })
    expect((await again(etag)).status).toBe(304)
    await dona.request('PUT', `/produtos/${id}`, { preco: 9 })
    const changed = await again(etag)
    expect([changed.status, changed.headers.get('content-encoding')]).toEqual([200, 'gzip'])
    expect(JSON.stringify(await changed.json())).toContain('"precoCentavos":900')
    await dona.request('DELETE', `/produtos/${id}`)
    expect((await visit('aurora').open()).text).not.toContain('Empada')
  })

  it('gives equal answers to requests that arrive together', async () => {
    const answers = await Promise.all(Array.from({ length: 150 }, () => visit('aurora').open()))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1)
  })

  it('answers 404 for unknown addresses, while the page is off, without the component and without an owner', async () => {
    for (const unknown of ['nenhuma', 'Aurora', 'a', '..%2f..', 'x'.repeat(50)])
      expect(await statusOf(unknown)).toBe(404)
    await savePage(bia, 'bia-doces')
    expect(await statusOf('bia-doces')).toBe(200)
    await saveConfig(bia, (config) => ({
      ...config,
      loja: { ...config.loja, pagina: { ...config.loja.pagina, ativa: false } },
    }))
    expect(await statusOf('bia-doces')).toBe(404)
    await savePage(bia, 'bia-doces')
    await setComponentes(app, bia.contaId, ['lojaWhatsapp'])
    expect(await statusOf('bia-doces')).toBe(404)
    expect((await visit('bia-doces').fee({ bairro: 'Centro' })).status).toBe(404)
    await setComponentes(app, bia.contaId, [])
    expect(await statusOf('bia-doces')).toBe(200)
    const owner = `/admin/usuarios/${bia.usuario.id}/status`
    await app.request('PUT', owner, { status: 'inativo' })
    expect(await statusOf('bia-doces')).toBe(404)
    await app.request('PUT', owner, { status: 'ativo' })
    expect(await statusOf('bia-doces')).toBe(200)
  })
})

describe('the address of a page', () => {
  it('belongs to one conta, also while its page is off', async () => {
    const fresh = await givenConta(app)
    const take = async (who: TestUser, endereco: string, ativa = true) => {
      const { body } = await who.request('GET', '/config')
      const config = Object(body['config'])
      const pagina = { ativa, endereco, descricao: '', indexar: true }
      return who.request('PUT', '/config', { ...config, loja: { ...config.loja, pagina } })
    }
    expect(await take(fresh, 'aurora')).toMatchObject({ status: 409, body: { codigo: 'enderecoEmUso' } })
    expect(await take(fresh, 'minha-loja', false)).toMatchObject({ status: 200 })
    expect(await take(dona, 'minha-loja')).toMatchObject({ status: 409 })
    for (const wrong of ['ab', 'Com Espaço', 'a/b', 'x'.repeat(41)]) expect((await take(fresh, wrong)).status).toBe(400)
    expect(await take(fresh, '')).toMatchObject({
      ...{ status: 400, body: { detalhes: [{ caminho: 'loja.pagina.endereco' }] } },
    })
    expect((await take(fresh, '', false)).status).toBe(200)
    expect((await take(dona, 'minha-loja')).status).toBe(200)
    expect(await statusOf('aurora')).toBe(404)
    expect((await take(dona, 'aurora')).status).toBe(200)
    expect(await statusOf('aurora')).toBe(200)
  })
})

describe('POST /publico/lojas/:endereco/entrega', () => {
  it('returns the fee of a place, and 409 where the shop does not deliver', async () => {
    const there = visit('aurora')
    expect(await there.fee({ bairro: 'CENTRO' })).toMatchObject({ status: 200, body: { centavos: 700 } })
    for (const far of [{ bairro: 'Lua' }, { cep: '01310-100' }, {}])
      expect(await there.fee(far)).toMatchObject({ status: 409, body: { codigo: 'foraDaEntrega' } })
    expect((await there.fee({ cep: '123' })).status).toBe(400)
  })
})

describe('GET /loja/pagina/qr', () => {
  const qr = (token: string, formato: string) =>
    fetch(`${app.url}/api/loja/pagina/qr?formato=${formato}`, { headers: { authorization: `Bearer ${token}` } })

  it('returns the QR code of the page as picture and drawing', async () => {
    const svg = await qr(dona.token, 'svg')
    expect(svg.headers.get('content-type')).toContain('image/svg+xml')
    expect(await svg.text()).toContain('<svg')
    const png = await qr(dona.token, 'png')
    expect(png.headers.get('content-type')).toContain('image/png')
    expect(await sharp(Buffer.from(await png.arrayBuffer())).metadata()).toMatchObject({
      format: 'png',
      width: 37 * 24,
    })
    expect((await qr(dona.token, 'gif')).status).toBe(400)
  })

  it('answers 404 while the shop has no address', async () => {
    expect((await qr((await givenConta(app)).token, 'svg')).status).toBe(404)
  })
})

describe('GET /m/:endereco', () => {
  const open = (endereco: string, headers = {}) => fetch(`${app.url}/m/${endereco}`, { headers })

  it('sends the page with preview, menu and data, and escapes texts of the shop', async () => {
    await givenProduto(dona, { nome: '</script><script>alert(1)</script>', categoria: '"x"' })
    await saveConfig(dona, (config) => ({
      ...withPage('aurora')(config),
      loja: {
        ...config.loja,
        pagina: { ativa: true, endereco: 'aurora', descricao: 'Bolo & "pão" <b>', indexar: true },
      },
    }))
    const reply = await open('aurora')
    const html = await reply.text()
    expect(reply.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(html).toContain('<title>Cardápio de Padaria Aurora</title>')
    expect(html).toContain('<meta property="og:description" content="Bolo &amp; &quot;pão&quot; &lt;b&gt;" />')
    expect(html).toContain('<meta property="og:url" content="https://balcao.exemplo/m/aurora" />')
    expect(html).not.toContain('<script>alert')
    expect(html).not.toContain('noindex')
    const dataOf = (pattern: RegExp): unknown => JSON.parse(pattern.exec(html)?.[1] ?? 'null')
    expect(dataOf(/<script type="application\/ld\+json">(.*)<\/script>/)).toMatchObject({ '@type': 'Menu' })
    expect(dataOf(/<script type="application\/json" id="dados">(.*)<\/script>/)).toEqual(await visit('aurora').menu())
    expect((await open('aurora', { 'if-none-match': reply.headers.get('etag') ?? '' })).status).toBe(304)
  })

  it('asks search engines to leave a page out', async () => {
    await savePage(dona, 'aurora', { pagina: { ativa: true, endereco: 'aurora', descricao: '', indexar: false } })
    const reply = await open('aurora')
    expect(reply.headers.get('x-robots-tag')).toBe('noindex')
    expect(await reply.text()).toContain('<meta name="robots" content="noindex" />')
  })

  it('sends the page without data and 404 for an unknown address', async () => {
    const reply = await open('nenhuma')
    expect(reply.status).toBe(404)
    expect(await reply.text()).not.toContain('id="dados"')
  })
})
