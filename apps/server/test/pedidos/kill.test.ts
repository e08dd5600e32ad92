import { expect, it } from 'vitest'
import type { CrashPoint } from '#lib/crash-points.ts'
import { waitUntil } from '#test/app.ts'
import { customerSays, saveConfig } from '#test/builders.ts'
import { phoneMessages, type Program, untilConnected, useProgramFixture } from '#test/bot/program.ts'
import { addProduto, allPedidos, walkToSummary, withOrders } from './shop.ts'

const palco = useProgramFixture()

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
  const { database, start, prepare } = palco()
  const settled = () => waitUntil(async () => (await database.owner.query('select 1 from saida')).rows.length === 0)
  const confirm = (program: Program, index: number) =>
    program.request('POST', '/simulador/mensagens', {
      ...{ telefone: phoneOf(index), nome: 'Bia', texto: 'confirmar', id: `confirma-${index}` },
    })
  await prepare()
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
    expect((await confirm(program, index)).status).toBe(202)
    await settled()
    expect(await afterConfirmation(program, phoneOf(index)), point).toEqual(model)
    expect(await allPedidos(program), point).toHaveLength(index + 2)
    await program.kill()
  }
  const { rows } = await database.owner.query('select estoque from produtos where id = $1', [produto])
  expect(rows).toEqual([{ estoque: STOCK - POINTS.length - 1 }])
})
