import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createPrinterCheck } from '#adapters/impressora/allowed-addresses.ts'
import { parseEnv } from '#env.ts'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import {
  connectBot,
  customerSays,
  givenConta,
  givenOperador,
  givenWaitingCustomer,
  saveConfig,
} from '#test/builders.ts'

interface FakePrinter {
  readonly porta: number
  readonly tickets: Buffer[]
  readonly close: () => Promise<void>
}

/** Keeps the bytes of each connection, as a printer does on port 9100. */
async function createPrinter(port = 0, onConnection?: (socket: Socket) => void): Promise<FakePrinter> {
  const tickets: Buffer[] = []
  const server: Server = createServer((socket) => {
    const parts: Buffer[] = []
    // Some printers answer with their status.
    socket.write(Buffer.from([0x12]))
    socket.on('data', (part) => parts.push(Buffer.from(part)))
    socket.on('error', () => undefined)
    socket.on('end', () => tickets.push(Buffer.concat(parts)))
    onConnection?.(socket)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('printer has no port')
  return {
    ...{ porta: address.port, tickets },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

let app: TestApp
let dona: TestUser
let printer: FakePrinter
let conversaId: string
let produtoId: string

beforeAll(async () => {
  printer = await createPrinter()
  app = await createTestApp({
    ...{ printers: { networks: [], loopback: true }, timings: { retryWaitsMs: [20, 40], pollMs: 20 } },
  })
  dona = await givenConta(app)
  await connectBot(dona, (config) => ({ ...config, loja: { pedidos: true, pagamentos: ['cartao'] } }))
  const { body } = await dona.request('POST', '/produtos', { nome: 'Coxinha', descricao: 'x', preco: 5 })
  produtoId = z.object({ produto: z.object({ id: z.string() }) }).parse(body).produto.id
  conversaId = await givenWaitingCustomer(dona, '5511999990001')
  await usePrinter(printer.porta)
})
afterAll(async () => {
  await app?.close()
  await printer?.close()
})
afterEach(() => void printer.tickets.splice(0))

const usePrinter = (porta: number, fields: object = {}): Promise<void> =>
  saveConfig(dona, (config) => ({
    ...config,
    loja: { ...config.loja, impressora: { ativa: true, endereco: '127.0.0.1', porta, largura: 32, ...fields } },
  }))

async function givenPedido(): Promise<string> {
  const { status, body } = await dona.request('POST', '/pedidos', {
    ...{ conversaId, itens: [{ produtoId, quantidade: 2 }] },
    ...{ entrega: { tipo: 'retirada' }, pagamento: { forma: 'dinheiro' } },
  })
  expect(status).toBe(201)
  return z.object({ pedido: z.object({ id: z.string() }) }).parse(body).pedido.id
}

async function ticketOf(id: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${dona.token}` }
  const reply = await fetch(`${app.url}/api/pedidos/${id}/cupom?formato=escpos&largura=32`, { headers })
  return Buffer.from(await reply.arrayBuffer())
}

const jobs = () => app.sql('select pedido_id, tentativas, incerta from impressoes')
const untilPrinted = (): Promise<unknown> => waitUntil(async () => (await jobs()).length === 0)
const hex = (tickets: readonly Buffer[]): string[] => tickets.map((ticket) => ticket.toString('hex')).toSorted()

describe('a new order', () => {
  it('is printed once, with the bytes of its ticket', async () => {
    const id = await givenPedido()
    await untilPrinted()
    await expect.poll(() => printer.tickets.length).toBe(1)
    expect(hex(printer.tickets)).toEqual([(await ticketOf(id)).toString('hex')])
  })

  it('is printed when a customer makes it in the chat', async () => {
    await customerSays(dona, '5511999990002', 'oi', '3', '1 coxinha', 'fechar', 'confirmar')
    await expect.poll(() => printer.tickets.map(String).join()).toContain('1x Coxinha')
    await untilPrinted()
    expect(printer.tickets).toHaveLength(1)
  })

  it('waits for a printer that is off, delays nothing else, and is printed when it is back', async () => {
    const other = await createPrinter()
    await other.close()
    await usePrinter(other.porta)
    const [first, second] = [await givenPedido(), await givenPedido()]
    await waitUntil(async () => (await jobs()).some(({ tentativas }) => tentativas === 1))
    // Other timers of the conta go on.
    await app.sql('insert into sinais (conta_id) values ($1)', [dona.contaId])
    await waitUntil(async () => (await app.sql('select 1 from sinais')).length === 0)
    expect(await jobs()).toHaveLength(2)
    const back = await createPrinter(other.porta)
    app.advance(11_000)
    await untilPrinted()
    await expect.poll(() => back.tickets.length).toBe(2)
    expect(hex(back.tickets)).toEqual(hex([await ticketOf(first), await ticketOf(second)]))
    await back.close()
    await usePrinter(printer.porta)
  })

  it('is printed once by a printer that hangs, and delays nothing else', async () => {
    const held: Socket[] = []
    const hanging = await createPrinter(0, (socket) => {
      socket.pause()
      held.push(socket)
    })
    await usePrinter(hanging.porta)
    const ids = [await givenPedido(), await givenPedido()]
    await app.sql('insert into sinais (conta_id) values ($1)', [dona.contaId])
    await waitUntil(async () => (await app.sql('select 1 from sinais')).length === 0)
    await untilPrinted()
    expect(hanging.tickets).toEqual([])
    for (const socket of held) socket.resume()
    await expect.poll(() => hanging.tickets.length).toBe(2)
    expect(hex(hanging.tickets)).toEqual(hex(await Promise.all(ids.map(ticketOf))))
    await hanging.close()
    await usePrinter(printer.porta)
  })

  it('is printed again as a second copy after the printer broke in the middle of it', async () => {
    let breaks = 1
    const breaking = await createPrinter(0, (socket) => {
      if (breaks === 0) return
      breaks -= 1
      socket.once('data', () => socket.resetAndDestroy())
    })
    await usePrinter(breaking.porta)
    await givenPedido()
    await waitUntil(async () => (await jobs()).some(({ tentativas }) => tentativas === 1))
    await waitUntil(() => breaks === 0)
    app.advance(6_000)
    await untilPrinted()
    await expect.poll(() => breaking.tickets.map(String)).toEqual([expect.stringContaining('SEGUNDA VIA')])
    await breaking.close()
    await usePrinter(printer.porta)
  })

  it('adds one line to the log for a printer that stays off', async () => {
    const closed = await createPrinter()
    await closed.close()
    await usePrinter(closed.porta)
    await givenPedido()
    for (const tries of [1, 2, 3, 4, 5]) {
      // Postponed, and not in the middle of an attempt.
      await waitUntil(async () =>
        (await jobs()).every(({ tentativas, incerta }) => Number(tentativas) >= tries && incerta === false),
      )
      app.advance(301_000)
    }
    const told = await app.sql(`select mensagem from logs where mensagem like 'A impressora da cozinha%'`)
    expect(told).toHaveLength(1)
    await usePrinter(printer.porta)
    app.advance(301_000)
    await untilPrinted()
  })

  it('says that it may be a second copy after a process died while it printed', async () => {
    await usePrinter(printer.porta, { ativa: false })
    const id = await givenPedido()
    await usePrinter(printer.porta)
    await app.sql(
      `insert into impressoes (conta_id, pedido_id, tentativas, incerta, proxima_em, criada_em) values ($1, $2, 1, true, now(), now())`,
      [dona.contaId, id],
    )
    await untilPrinted()
    await expect.poll(() => printer.tickets.map(String).join()).toContain('SEGUNDA VIA')
  })

  it('is not printed with the printer switched off, nor after it was cancelled', async () => {
    await usePrinter(printer.porta, { ativa: false })
    const id = await givenPedido()
    expect(await jobs()).toEqual([])
    await dona.request('PUT', `/pedidos/${id}/status`, { status: 'cancelado' })
    await usePrinter(printer.porta)
    await app.sql(`insert into impressoes (conta_id, pedido_id, proxima_em, criada_em) values ($1, $2, now(), now())`, [
      ...[dona.contaId, id],
    ])
    await untilPrinted()
    expect(printer.tickets).toEqual([])
  })
})

describe('POST /loja/impressora/testar', () => {
  const test = (fields: object = {}, person = dona) =>
    person.request('POST', '/loja/impressora/testar', {
      endereco: '127.0.0.1',
      porta: printer.porta,
      largura: 48,
      ...fields,
    })

  it('prints a sample, or says why not', async () => {
    expect((await test()).status).toBe(200)
    await expect.poll(() => printer.tickets.map(String).join()).toContain('Teste da impressora')
    const closed = await createPrinter()
    await closed.close()
    const codes = await Promise.all([
      test({ porta: closed.porta }),
      test({ endereco: '192.168.0.1' }),
      test({ endereco: 'impressora.local' }),
      test({ endereco: '169.254.169.254', porta: 9_100 }),
    ])
    expect(codes.map(({ body }) => body['codigo'])).toEqual([
      ...['impressoraSemResposta', 'impressoraRecusada', 'dadosInvalidos', 'impressoraRecusada'],
    ])
    const otto = await givenOperador(app, dona)
    expect((await test({}, otto)).status).toBe(403)
  })

  it('is refused by a server without printers', async () => {
    const bare = await createTestApp({ background: false })
    expect((await bare.request('GET', '/loja/impressora')).body).toEqual({ disponivel: false })
    const { status, body } = await bare.request('POST', '/loja/impressora/testar', {
      ...{ endereco: '127.0.0.1', porta: 9_100, largura: 48 },
    })
    expect([status, body['codigo']]).toEqual([409, 'impressoraDesligada'])
    await bare.close()
    expect((await dona.request('GET', '/loja/impressora')).body).toEqual({ disponivel: true })
  })
})

describe('createPrinterCheck', () => {
  const allow = createPrinterCheck({ networks: ['192.168.0.0/16', '10.1.2.3', 'fd12::/16', '0.0.0.0/0', '::/0'] })
  const narrow = createPrinterCheck({ networks: ['192.168.7.0/24', 'fd12:3456::/32'] })

  it.each(['192.168.7.9', '::ffff:192.168.7.9', '::ffff:c0a8:709', 'fd12:3456::1', 'FD12:3456:0:0::1'])(
    'allows %s in its network',
    (address) => expect(narrow(address, 9_100)).toBe(true),
  )

  it.each(['192.168.8.9', '10.0.0.1', 'fd13::1', '::ffff:192.168.8.9'])('refuses %s of another network', (address) => {
    expect(narrow(address, 9_100)).toBe(false)
  })

  it.each([
    ...[
      '8.8.8.8',
      '127.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '0.0.0.0',
      '::',
      '169.254.169.254',
      'fe80::1',
      'fd00:ec2::254',
    ],
    ...['224.0.0.1', '255.255.255.255', '100.64.0.1', 'ff02::1', '64:ff9b::10.0.0.1', '2002:a00:1::1', '2001:db8::1'],
    ...['localhost', 'impressora', '0x7f.0.0.1', '2130706433', '192.168.1', '192.168.0.1%eth0', 'fd12::1%eth0', ''],
  ])('never allows %s', (address) => {
    expect(allow(address, 9_100)).toBe(false)
  })

  it('opens the ports of printers only', () => {
    expect([9_099, 9_100, 9_109, 9_110, 6_379, 22].map((port) => narrow('192.168.7.9', port))).toEqual([
      ...[false, true, true, false, false, false],
    ])
  })

  it('opens this machine for tests only', () => {
    const local = createPrinterCheck({ networks: [], loopback: true })
    expect([local('127.0.0.1', 4_242), local('::1', 4_242), local('10.0.0.1', 9_100)]).toEqual([true, true, false])
  })
})

describe('IMPRESSORAS', () => {
  it('names addresses and networks, and is empty by default', () => {
    const networksOf = (IMPRESSORAS?: string) =>
      parseEnv({ ...(IMPRESSORAS === undefined ? {} : { IMPRESSORAS }) }).printerNetworks
    expect(networksOf()).toEqual([])
    expect(networksOf('192.168.0.0/24, 10.1.2.3,fd12::/48')).toEqual(['192.168.0.0/24', '10.1.2.3', 'fd12::/48'])
    for (const wrong of ['loja.local', '192.168.0.0/33', '192.168.0', 'fd12::/129'])
      expect(() => networksOf(wrong)).toThrow('IMPRESSORAS')
  })
})
