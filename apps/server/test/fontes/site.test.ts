import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Fonte } from '@balcao/contract/entities/fonte'
import { createSites } from '#adapters/sites/sites.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { givenFonte, piecesOf, readFonte, withoutFontes } from './fontes-app.ts'

interface FakePage {
  readonly status?: number
  readonly type?: string
  readonly location?: string
  readonly body?: string
}

let app: TestApp
let server: Server
let site = ''
let pages: Readonly<Record<string, FakePage>> = {}
let other: (path: string) => FakePage = () => ({ status: 404 })
let asked: string[] = []

beforeAll(async () => {
  app = await createTestApp({ sites: { loopback: true } })
  server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const { status = 200, type = 'text/html', location, body = '' } = pages[path] ?? other(path)
    response.writeHead(location === undefined ? status : 302, { 'content-type': type, ...(location && { location }) })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  site = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await app.close()
})
beforeEach(async () => {
  await withoutFontes(app)
  asked = []
  pages = {}
  other = () => ({ status: 404 })
})

async function readSite(more: object = {}): Promise<Fonte> {
  return readFonte(app.admin, await givenFonte(app.admin, { tipo: 'site', url: `${site}/`, ...more }))
}

const page = (body: string): FakePage => ({ body: `<title>Loja da Ana</title><main>${body}</main>` })

describe('POST /ia/fontes with a site', () => {
  it('reads the pages of one host without their navigation and obeys robots.txt', async () => {
    pages = {
      '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /conta\nAllow: /conta/ajuda\n' },
      '/': {
        body: `<title>Loja da Ana</title><nav><a href="/trocas#topo">Trocas</a> <a href="/conta">Conta</a></nav>
          <main><h1>Entregas</h1><p>Todos os dias.</p><a href="/conta/ajuda">Ajuda</a>
          <a href="https://outra.test/">Outra</a> <a href="/lista.pdf">Lista</a> <a href="/velha">Velha</a></main>
          <footer>Rua Um, 10</footer>`,
      },
      '/trocas': page('<h2>Trocas</h2><p>Sete dias.</p><a href="/">Início</a>'),
      '/conta/ajuda': { body: '<main><p>Ligue para a loja.</p></main><footer>Rua Um, 10</footer>' },
      '/velha': { location: 'https://outra.test/x' },
    }
    const fonte = await readSite()
    expect(fonte).toMatchObject({ tipo: 'site', titulo: 'Loja da Ana', url: `${site}/`, estado: 'pronta' })
    const texts = (await piecesOf(app.admin, fonte)).map(({ secao, trecho }) => `${secao}: ${trecho}`)
    expect(texts.filter((text) => text.includes('Rua Um'))).toHaveLength(1)
    expect(texts.join('\n')).toContain('Entregas: Todos os dias.')
    expect(texts.join('\n')).toContain('Trocas: Sete dias.')
    expect(texts.join('\n')).toContain('Ligue para a loja.')
    expect(asked.toSorted()).toEqual(['/', '/conta/ajuda', '/robots.txt', '/trocas', '/velha'])
  })

  it('asks for no more pages than allowed', async () => {
    other = (path) => page(`Página ${path} <a href="${path}a">mais</a> <a href="${path}b">outra</a>`)
    pages = { '/robots.txt': { status: 404 } }
    const fonte = await readSite({ paginas: 7 })
    expect(fonte.trechos).toBe(7)
    expect(asked).toHaveLength(8)
  })

  it.each([
    ['redirects without end', { '/': { location: '/' } }, /sem parar/],
    ['leads to another host', { '/': { location: 'https://outra.test/' } }, /outro site/],
    ['forbids its pages', { '/robots.txt': { body: 'User-agent: *\nDisallow: /' } }, /robots/],
    ['has no text', { '/': { body: '<script>tudo()</script>' } }, /não tem texto/],
    ['has no such page', {}, /não existe/],
    ['is a picture', { '/': { type: 'image/png', body: 'x' } }, /página de texto/],
    ['sends too much', { '/': { body: 'x'.repeat(4_000_000) } }, /não respondeu/],
  ])('fails when the site %s', async (_, given: Readonly<Record<string, FakePage>>, motivo) => {
    pages = given
    expect(await readSite()).toMatchObject({ estado: 'falhou', motivo: expect.stringMatching(motivo) })
  })
})

describe('Sites', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://10.0.0.8/',
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'https://ana:senha@exemplo.com/',
    'http://exemplo.com:5432/',
    'file:///etc/passwd',
  ])('refuses %s', async (address) => {
    await expect(createSites({}).ask(new URL(address))).rejects.toThrow(/site público/)
  })

  it('refuses a name as soon as it changes to a private address', async () => {
    const answers = ['93.184.216.34', '127.0.0.1']
    const looked: string[] = []
    const sites = createSites({
      resolver: (name, _options, giveBack) => {
        looked.push(name)
        giveBack(null, [{ address: answers[Math.min(looked.length, 2) - 1] ?? '', family: 4 }])
      },
    })
    const stopped = AbortSignal.timeout(50)
    await sites.ask(new URL('http://loja.test/'), stopped).catch(() => undefined)
    await expect(sites.ask(new URL('http://loja.test/'))).rejects.toThrow(/site público/)
    expect(looked).toEqual(['loja.test', 'loja.test'])
  })
})
