import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createOutbound, type Resolver, type OutboundOptions } from '#adapters/saida/saida.ts'

let porta = 0
let atender: (pedido: IncomingMessage, resposta: ServerResponse) => void
let pedidos: string[] = []
const servidor = createServer((pedido, resposta) => {
  pedidos.push(`${pedido.method} ${pedido.headers.host} ${pedido.url}`)
  atender(pedido, resposta)
})
beforeAll(async () => {
  servidor.listen(0, '127.0.0.1')
  await once(servidor, 'listening')
  const endereco = servidor.address()
  porta = typeof endereco === 'object' && endereco !== null ? endereco.port : 0
})
afterAll(() => {
  servidor.closeAllConnections()
  servidor.close()
})
beforeEach(() => {
  pedidos = []
  atender = (_pedido, resposta) => void resposta.end('aqui')
})

/** Returns one answer per call and repeats the last one. */
function resolver(...respostas: readonly (readonly string[])[]): Resolver & { readonly perguntas: string[] } {
  const perguntas: string[] = []
  const resolve: Resolver = (nome, _opcoes, devolver) => {
    const enderecos = respostas[Math.min(perguntas.length, respostas.length - 1)] ?? []
    perguntas.push(nome)
    devolver(
      null,
      enderecos.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return Object.assign(resolve, { perguntas })
}

const deCasa = (): string => `http://vizinha.exemplo:${porta}`
function sair(mais: Partial<OutboundOptions> = {}): ReturnType<typeof createOutbound> {
  const porNome = { fixedOrigins: [], envOrigins: [deCasa()], maxBytes: 1_000 }
  return createOutbound({ ...porNome, resolver: resolver(['127.0.0.1']), ...mais })
}

const motivo = (promessa: Promise<unknown>): Promise<string> =>
  promessa.then(
    () => 'nada',
    (erro: unknown) => (erro instanceof Error && erro.cause instanceof Error ? erro.cause.message : String(erro)),
  )

it('reaches an origin of the environment with forms, headers and statuses', async () => {
  atender = (pedido, resposta) => {
    void text(pedido).then((corpo) => {
      resposta
        .writeHead(418, { 'x-eco': pedido.headers['content-type'] ?? '', 'set-cookie': ['a=1', 'b=2'] })
        .end(corpo)
    })
  }
  const form = new FormData()
  form.set('nome', 'Ação')
  const resposta = await sair()(`${deCasa()}/ola?x=1`, { method: 'POST', body: form })
  expect([resposta.status, resposta.headers.getSetCookie()]).toEqual([418, ['a=1', 'b=2']])
  expect(resposta.headers.get('x-eco')).toMatch(/^multipart\/form-data; boundary=/)
  expect(await resposta.text()).toContain('Ação')
  expect(pedidos).toEqual([`POST vizinha.exemplo:${porta} /ola?x=1`])
})

it.each([
  ['another host', () => 'http://outra.exemplo'],
  ['another port', () => 'http://vizinha.exemplo:1'],
  ['another scheme', () => `https://vizinha.exemplo:${porta}`],
  ['an address instead of the name', () => `http://127.0.0.1:${porta}`],
  ['a host with a similar ending', () => 'https://evil-whatsapp.net'],
  ['a subdomain over http', () => 'http://mmg.whatsapp.net'],
  ['a subdomain on another port', () => 'https://mmg.whatsapp.net:8443'],
])('refuses %s without a DNS lookup', async (_nome, url) => {
  const nomes = resolver(['127.0.0.1'])
  expect(await motivo(sair({ resolver: nomes, subdomainsOf: 'whatsapp.net' })(url()))).toMatch(/^destination not allowed/)
  expect([pedidos, nomes.perguntas]).toEqual([[], []])
})

it.each([
  ['127.0.0.1', '10.1.2.3', '172.20.0.1', '192.168.0.9', '100.64.0.1', '0.0.0.0', '169.254.169.254', '::1', 'fd00::1'],
  [
    'fe80::1',
    '::ffff:10.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    'fd00:ec2::254',
    '::',
    '255.255.255.255',
  ],
])('refuses a fixed origin that resolves to a private address: %s', async (...enderecos) => {
  for (const endereco of enderecos) {
    // One public address beside it does not help.
    const nomes = resolver(['93.184.216.34', endereco])
    const saida = sair({ fixedOrigins: [deCasa()], envOrigins: [], resolver: nomes })
    expect(await motivo(saida(deCasa()))).toBe(`address refused: vizinha.exemplo resolves to ${endereco}`)
    expect(nomes.perguntas).toHaveLength(1)
  }
  expect(pedidos).toEqual([])
})

it('allows a private address for an origin of the environment, but no link-local one', async () => {
  for (const endereco of ['169.254.169.254', '::ffff:169.254.169.254', 'fd00:ec2::254', 'fe80::1']) {
    const saida = sair({ resolver: resolver([endereco]) })
    expect(await motivo(saida(deCasa()))).toBe(`address refused: vizinha.exemplo resolves to ${endereco}`)
  }
})

it('checks the address again for every connection', async () => {
  // Resolves to this machine first and to the metadata service afterwards.
  const nomes = resolver(['127.0.0.1'], ['169.254.169.254'])
  atender = (_pedido, resposta) => void resposta.setHeader('connection', 'close').end('aqui')
  const saida = sair({ resolver: nomes })
  expect(await (await saida(deCasa())).text()).toBe('aqui')
  expect(nomes.perguntas).toHaveLength(1)
  expect(await motivo(saida(deCasa()))).toBe('address refused: vizinha.exemplo resolves to 169.254.169.254')
  expect(pedidos).toHaveLength(1)
})

it('rejects a redirect, or returns it with redirect manual', async () => {
  atender = (_pedido, resposta) => void resposta.writeHead(302, { location: 'http://169.254.169.254/' }).end()
  expect(await motivo(sair()(deCasa(), { redirect: 'follow' }))).toBe('redirect refused')
  const { status, headers } = await sair()(deCasa(), { redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([302, 'http://169.254.169.254/'])
  expect(pedidos).toHaveLength(2)
})

it('limits the size and the time of a response', async () => {
  atender = (_pedido, resposta) => void resposta.end(Buffer.alloc(1_000))
  expect((await (await sair()(deCasa())).arrayBuffer()).byteLength).toBe(1_000)
  atender = (_pedido, resposta) => void resposta.end(Buffer.alloc(1_001))
  const longa = await sair()(deCasa())
  await expect(longa.arrayBuffer()).rejects.toThrow('the answer exceeds the limit')

  // Without any byte, and after the first byte.
  atender = () => undefined
  await expect(sair({ timeoutMs: 100 })(deCasa())).rejects.toThrow(/timeout/)
  atender = (_pedido, resposta) => void resposta.write('a')
  const lenta = await sair({ timeoutMs: 1_000 })(deCasa())
  await expect(lenta.text()).rejects.toThrow(/timeout/)
})

it('rejects when the caller aborts', async () => {
  atender = () => undefined
  const desistencia = new AbortController()
  const resposta = sair()(deCasa(), { signal: desistencia.signal })
  desistencia.abort(new Error('ninguém espera mais'))
  await expect(resposta).rejects.toThrow('ninguém espera mais')
})
