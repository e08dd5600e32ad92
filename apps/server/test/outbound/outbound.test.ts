import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { networkTypeOf } from '#adapters/outbound/networks.ts'
import { createOutbound, type Resolver, type OutboundOptions } from '#adapters/outbound/outbound.ts'

let porta = 0
let serve: (request: IncomingMessage, reply: ServerResponse) => void
let requests: string[] = []
const server = createServer((request, reply) => {
  requests.push(`${request.method} ${request.headers.host} ${request.url}`)
  serve(request, reply)
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endereco = server.address()
  porta = typeof endereco === 'object' && endereco !== null ? endereco.port : 0
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  requests = []
  serve = (_pedido, reply) => void reply.end('aqui')
})

/** Returns one answer per call and repeats the last one. */
function resolver(...respostas: readonly (readonly string[])[]): Resolver & { readonly perguntas: string[] } {
  const perguntas: string[] = []
  const resolve: Resolver = (name, _opcoes, giveBack) => {
    const addresses = respostas[Math.min(perguntas.length, respostas.length - 1)] ?? []
    perguntas.push(name)
    giveBack(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
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
    (error: unknown) => (error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)),
  )

it('reaches an origin of the environment with forms, headers and statuses', async () => {
  serve = (request, reply) => {
    void text(request).then((corpo) => {
      reply.writeHead(418, { 'x-eco': request.headers['content-type'] ?? '', 'set-cookie': ['a=1', 'b=2'] }).end(corpo)
    })
  }
  const form = new FormData()
  form.set('nome', 'Ação')
  const reply = await sair()(`${deCasa()}/ola?x=1`, { method: 'POST', body: form })
  expect([reply.status, reply.headers.getSetCookie()]).toEqual([418, ['a=1', 'b=2']])
  expect(reply.headers.get('x-eco')).toMatch(/^multipart\/form-data; boundary=/)
  expect(await reply.text()).toContain('Ação')
  expect(requests).toEqual([`POST vizinha.exemplo:${porta} /ola?x=1`])
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
  const names = resolver(['127.0.0.1'])
  expect(await motivo(sair({ resolver: names, subdomainsOf: ['whatsapp.net'] })(url()))).toMatch(
    /^destination not allowed/,
  )
  expect([requests, names.perguntas]).toEqual([[], []])
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
  ['64:ff9b::a9fe:a9fe', '64:ff9b::10.0.0.1', '64:ff9b:1::1', '2002:7f00:1::1', '2002:a9fe:a9fe::', '2002:c0a8:101::1'],
])('refuses a fixed origin that resolves to a private address: %s', async (...addresses) => {
  for (const endereco of addresses) {
    // One public address beside it does not help.
    const names = resolver(['93.184.216.34', endereco])
    const output = sair({ fixedOrigins: [deCasa()], envOrigins: [], resolver: names })
    expect(await motivo(output(deCasa()))).toBe(`address refused: vizinha.exemplo resolves to ${endereco}`)
    expect(names.perguntas).toHaveLength(1)
  }
  expect(requests).toEqual([])
})

it('allows a private address for an origin of the environment, but no link-local one', async () => {
  const addresses = [
    '169.254.169.254',
    '::ffff:169.254.169.254',
    'fd00:ec2::254',
    'fe80::1',
    '64:ff9b::169.254.169.254',
  ]
  for (const endereco of addresses) {
    const output = sair({ resolver: resolver([endereco]) })
    expect(await motivo(output(deCasa()))).toBe(`address refused: vizinha.exemplo resolves to ${endereco}`)
  }
})

it('allows a private address for a host that the administrator named, but not this machine', async () => {
  const named = { envOrigins: [], privateOrigins: [deCasa()], timeoutMs: 100 }
  const refused = ['127.0.0.1', '::1', '0.0.0.0', '::', '::ffff:127.0.0.1', '64:ff9b::127.0.0.1', '169.254.169.254']
  for (const endereco of refused) {
    const output = sair({ ...named, resolver: resolver([endereco]) })
    expect(await motivo(output(deCasa()))).toBe(`address refused: vizinha.exemplo resolves to ${endereco}`)
  }
  const output = sair({ ...named, resolver: resolver(['10.255.255.1']) })
  expect(await motivo(output(deCasa()))).not.toContain('address refused')
  expect(await motivo(output('http://outra.exemplo'))).toBe('destination not allowed: http://outra.exemplo')
})

it.each([
  ['8.8.8.8', 'internet'],
  ['2606:4700::1111', 'internet'],
  ['64:ff9b::8.8.8.8', 'internet'],
  ['2002:808:808::1', 'internet'],
  ['2002:a00:1::1', 'interna'],
  ['2002:a9fe:a9fe::', 'local'],
])('classifies %s as %s', (address, type) => {
  expect(networkTypeOf(address)).toBe(type)
})

it('checks the address again for every connection', async () => {
  // Resolves to this machine first and to the metadata service afterwards.
  const names = resolver(['127.0.0.1'], ['169.254.169.254'])
  serve = (_pedido, reply) => void reply.setHeader('connection', 'close').end('aqui')
  const output = sair({ resolver: names })
  expect(await (await output(deCasa())).text()).toBe('aqui')
  expect(names.perguntas).toHaveLength(1)
  expect(await motivo(output(deCasa()))).toBe('address refused: vizinha.exemplo resolves to 169.254.169.254')
  expect(requests).toHaveLength(1)
})

it('rejects a redirect, or returns it with redirect manual', async () => {
  serve = (_pedido, reply) => void reply.writeHead(302, { location: 'http://169.254.169.254/' }).end()
  expect(await motivo(sair()(deCasa(), { redirect: 'follow' }))).toBe('redirect refused')
  const { status, headers } = await sair()(deCasa(), { redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([302, 'http://169.254.169.254/'])
  expect(requests).toHaveLength(2)
})

it('limits the size and the time of a response', async () => {
  serve = (_pedido, reply) => void reply.end(Buffer.alloc(1_000))
  expect((await (await sair()(deCasa())).arrayBuffer()).byteLength).toBe(1_000)
  serve = (_pedido, reply) => void reply.end(Buffer.alloc(1_001))
  const long = await sair()(deCasa())
  await expect(long.arrayBuffer()).rejects.toThrow('the answer exceeds the limit')

  // Without any byte, and after the first byte.
  serve = () => undefined
  await expect(sair({ timeoutMs: 100 })(deCasa())).rejects.toThrow(/timeout/)
  serve = (_pedido, reply) => void reply.write('a')
  const slow = await sair({ timeoutMs: 1_000 })(deCasa())
  await expect(slow.text()).rejects.toThrow(/timeout/)
})

it('rejects when the caller aborts', async () => {
  serve = () => undefined
  const giveUp = new AbortController()
  const reply = sair()(deCasa(), { signal: giveUp.signal })
  giveUp.abort(new Error('ninguém espera mais'))
  await expect(reply).rejects.toThrow('ninguém espera mais')
})
