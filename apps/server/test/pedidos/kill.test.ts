import { createServer } from 'node:net'
import { beforeAll, expect, it } from 'vitest'
import type { CrashPoint } from '#lib/crash-points.ts'
import { waitUntil } from '#test/app.ts'
import { customerSays, saveConfig } from '#test/builders.ts'
import { phoneMessages, type Program, untilConnected, useProgramFixture } from '#test/bot/program.ts'
import { addProduto, allPedidos, walkToSummary, withOrders } from './shop.ts'

const palco = useProgramFixture({ IMPRESSORA_LOOPBACK: '1' })
beforeAll(() => palco().prepare(), 60_000)

/** Around the commit of the order, and before and after its first text leaves. */
const POINTS: readonly CrashPoint[] = [
  'entrada.antes-commit',
  'entrada.apos-commit',
  'saida.reivindicada',
  'saida.enviada',
]
const STOCK = 10
const phoneOf = (index: number): string => `551196000000${index}`

/** Texts of the bot after the confirmation, without what differs between two orders. */
async function afterConfirmation(program: Program, telefone: string): Promise<string[]> {
  const chat = await phoneMessages(program, telefone)
  const from = chat.findIndex(({ de, texto }) => de === 'cliente' && texto === 'confirmar')
  return chat
    .slice(from)
    .map(({ de, texto }) => `${de}: ${texto.startsWith('000201') ? 'PIX' : texto.replace(/nº \d+/, 'nº')}`)
}

it('keeps one order and each of its texts once after SIGKILL', { timeout: 300_000 }, async () => {
  const { database, start } = palco()
  const settled = () => waitUntil(async () => (await database.owner.query('select 1 from saida')).rows.length === 0)
  const confirm = (program: Program, index: number) =>
    program.request('POST', '/simulador/mensagens', {
      ...{ telefone: phoneOf(index), nome: 'Bia', texto: 'confirmar', id: `confirma-${index}` },
    })
  let program = await start()
  await saveConfig(program, withOrders)
  await untilConnected(program)
  const produto = await addProduto(program, 'Empada', { estoque: STOCK })
  for (const index of [...POINTS.keys(), POINTS.length]) {
    await customerSays(program, phoneOf(index), 'oi', '3', '1 empada')
    expect(await walkToSummary(program, phoneOf(index), false)).toBe(500)
  }
  await confirm(program, POINTS.length)
  await settled()
  const model = await afterConfirmation(program, phoneOf(POINTS.length))
  expect(model.filter((text) => text.includes('recebido') || text === 'bot: PIX')).toHaveLength(2)
  await program.kill()

  for (const [index, point] of POINTS.entries()) {
    program = await start(`${point}:1`)
    await untilConnected(program)
    await confirm(program, index).catch(() => undefined)
    expect(await program.exited, point).toBe('SIGKILL')
    program = await start()
    await untilConnected(program)
    // The service repeats a message that was not acknowledged.
    await waitUntil(async () => (await confirm(program, index)).status === 202)
    await settled()
    expect(await afterConfirmation(program, phoneOf(index)), point).toEqual(model)
    expect(await allPedidos(program), point).toHaveLength(index + 2)
    await program.kill()
  }
  const { rows } = await database.owner.query('select estoque from produtos where id = $1', [produto])
  expect(rows).toEqual([{ estoque: STOCK - POINTS.length - 1 }])
})

/** Keeps what each connection brings. */
async function createPaper(): Promise<{
  readonly porta: number
  readonly tickets: string[]
  readonly close: () => void
}> {
  const tickets: string[] = []
  const server = createServer((socket) => {
    const at = tickets.push('') - 1
    socket.on('data', (part) => (tickets[at] += part.toString('latin1')))
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('printer has no port')
  return { porta: address.port, tickets, close: () => server.close() }
}

it('prints a second copy and reminds of a cart once after SIGKILL', { timeout: 120_000 }, async () => {
  const { database, start } = palco()
  const telefone = '5511960000099'
  const paper = await createPaper()
  const died = async (program: Program, point: CrashPoint): Promise<void> =>
    expect(await program.exited, point).toBe('SIGKILL')
  const reminders = async (program: Program): Promise<number> =>
    (await phoneMessages(program, telefone)).filter(({ texto }) => texto.includes('pedido começado')).length
  let program = await start('impressao.impressa:1')
  await saveConfig(program, (config) => {
    const impressora = { ativa: true, endereco: '127.0.0.1', porta: paper.porta, largura: 32 }
    // Pick-up and one way of payment: the shop asks for neither.
    const entrega = { ...config.loja.entrega, ativa: false }
    return { ...config, loja: { pedidos: true, entrega, pagamentos: ['cartao'], lembreteMinutos: 5, impressora } }
  })
  await untilConnected(program)
  await addProduto(program, 'Bolo')
  await customerSays(program, telefone, 'oi', '3', '1 bolo', 'fechar')
  await customerSays(program, telefone, 'confirmar').catch(() => undefined)
  await died(program, 'impressao.impressa')

  program = await start('lembrete.antes-commit:1')
  await untilConnected(program)
  // A claim of a dead process ends after a minute.
  await database.owner.query('update impressoes set proxima_em = now()')
  await expect.poll(() => paper.tickets.length, { timeout: 10_000 }).toBe(2)
  await expect.poll(() => paper.tickets.map((ticket) => ticket.includes('SEGUNDA VIA'))).toEqual([false, true])
  await waitUntil(async () => (await database.owner.query('select 1 from impressoes')).rows.length === 0)
  await customerSays(program, telefone, 'oi', '3', '2 bolos')
  const makeDue = `
    with c as (
      update contatos set estado = jsonb_set(estado, '{carrinho,mudouEm}', to_jsonb((estado #>> '{carrinho,mudouEm}')::bigint - 600000))
      where telefone = '${telefone}')
    update carrinhos_parados set vence_em = now()`
  await database.owner.query(makeDue)
  await died(program, 'lembrete.antes-commit')

  program = await start('lembrete.apos-commit:1')
  await died(program, 'lembrete.apos-commit')
  program = await start()
  await untilConnected(program)
  await waitUntil(async () => (await database.owner.query('select 1 from saida')).rows.length === 0)
  expect(await reminders(program)).toBe(1)
  expect((await database.owner.query('select 1 from carrinhos_parados')).rows).toEqual([])
  await program.kill()
  paper.close()
})
