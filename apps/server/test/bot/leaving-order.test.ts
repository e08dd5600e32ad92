import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstLine } from '#db/statement/line.ts'
import { createMemoryBus } from '#adapters/bus.ts'
import type { Database, Tx } from '#db/transaction.ts'
import { sendMensagem } from '#modules/atendimento/index.ts'
import type { Bus } from '#ports/bus.ts'
import { waitUntil } from '#test/app.ts'
import { type RecordedDatabase, recordStatements } from '#test/recorded-database.ts'
import {
  addOperador,
  connectBot,
  createTestRuntime,
  MUTE_BUS,
  type TestNode,
  type TestNodeOptions,
  type TestRuntime,
  textsOf,
} from './test-runtime.ts'

const LOOK_UP = 'saida-anteriores'
const MENU = 'MENU\n1 - Horários\n2 - Atendente\n3 - Eco\n0 - Sair'
/** Only wake-ups read the outbox. */
const NO_POLLS = { renewMs: 5_000, searchMs: 3_600_000 }

let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
})
afterAll(() => runtime.close())

interface TwoNodes {
  readonly contaId: string
  /** Has the session. */
  readonly holder: TestNode
  readonly other: TestNode
  readonly recorded: RecordedDatabase
  readonly stop: () => Promise<void>
}

async function startTwoNodes(
  options: TestNodeOptions = {},
  holderDb: (db: Database) => Database = (db) => db,
): Promise<TwoNodes> {
  const contaId = await runtime.givenConta()
  const recorded = recordStatements(holderDb(runtime.database.db))
  const common = { timings: NO_POLLS, ...options }
  const holder = await runtime.startNode('holder', { ...common, behindMs: 0, db: () => recorded.db })
  await connectBot(holder, contaId)
  await waitUntil(async () => (await holder.runtime.bots.status(firstLine(contaId))).status === 'CONECTADO')
  const other = await runtime.startNode('other', common)
  const stop = async (): Promise<void> => {
    await holder.stop()
    await other.stop()
  }
  return { contaId, holder, other, recorded, stop }
}

let lastPhone = 30_000_000
const newPhone = (): string => `55119${(lastPhone += 1)}`
let lastMessage = 0

function says({ runtime }: TestNode, contaId: string, telefone: string, texto: string): Promise<void> {
  const id = `leaving-${(lastMessage += 1)}`
  const message = { id, endereco: telefone, telefone, nome: 'Ana', texto, enviadaEm: new Date() }
  return runtime.receive(firstLine(contaId), 'simulador', message)
}

async function textsInOrder(contaId: string, telefone: string): Promise<string[]> {
  const { rows } = await runtime.database.owner.query<{ texto: string }>(
    `select m.texto from mensagens m join conversas v on v.id = m.conversa_id join contatos c on c.id = v.contato_id
     where m.conta_id = $1 and c.telefone = $2 and m.direcao = 'saida' order by m.id`,
    [contaId, telefone],
  )
  return rows.map(({ texto }) => texto)
}

/** Delivers each packet late. */
function lateBus(ms: number): Bus {
  const bus = createMemoryBus()
  return { ...bus, publish: (channel, data) => void setTimeout(() => bus.publish(channel, data), ms) }
}

const lookUps = ({ transactions }: RecordedDatabase): number =>
  transactions.flat().filter((name) => name === LOOK_UP).length

describe('messages that two nodes write for one contato', () => {
  it('leave in the order of their ids while wake-ups are late and a clock is behind', async () => {
    const { contaId, holder, other, stop } = await startTwoNodes({ bus: lateBus(500), behindMs: 5_000 })
    const phones = Array.from({ length: 10 }, newPhone)
    const expected = ['OLA Ana', MENU]
    await Promise.all(phones.map((phone) => says(holder, contaId, phone, 'oi')))
    for (let round = 0; round < 6; round += 1) {
      await Promise.all(phones.map((phone) => says(other, contaId, phone, '1')))
      await Promise.all(phones.map((phone) => says(holder, contaId, phone, '3')))
      expected.push('HORARIOS', 'ECO')
    }
    await waitUntil(() => phones.every((phone) => textsOf(runtime, phone).length === expected.length))
    for (const phone of phones) {
      expect(textsOf(runtime, phone)).toEqual(expected)
      expect(await textsInOrder(contaId, phone)).toEqual(expected)
    }
    await stop()
  })

  it('leave in order when the wake-up of an operador on the other node is lost', async () => {
    const { contaId, holder, other, stop } = await startTwoNodes({ bus: MUTE_BUS })
    const phone = newPhone()
    await says(holder, contaId, phone, 'oi')
    await says(holder, contaId, phone, '2')
    await waitUntil(() => textsOf(runtime, phone).at(-1)?.startsWith('PROTOCOLO') === true)
    const person = { id: randomUUID(), nome: 'Rui' }
    await addOperador(runtime, contaId, person)
    const { rows } = await runtime.database.owner.query<{ id: string }>(
      'select id from conversas where conta_id = $1',
      [contaId],
    )
    const operador = { usuarioId: person.id, nome: person.nome, setores: [], linhas: [] }
    const writes = async ({ deps, runtime }: TestNode, texto: string): Promise<void> => {
      const { bots, sendEventIn } = runtime
      const send = { contaId, conversaId: rows[0]?.id ?? '', texto, operador }
      await deps.db.transaction(contaId, (tx) => sendMensagem(tx, { ...deps, bots, sendEventIn }, send))
    }
    await writes(other, 'primeira')
    await writes(other, 'segunda')
    await writes(holder, 'terceira')
    await waitUntil(() => textsOf(runtime, phone).includes('terceira'))
    expect(textsOf(runtime, phone).slice(-3)).toEqual(['primeira', 'segunda', 'terceira'])
    await stop()
  })

  it('leave without a lookup when one node writes them', async () => {
    const { contaId, holder, recorded, stop } = await startTwoNodes()
    const phone = newPhone()
    for (const text of ['oi', '1', '3', '1']) await says(holder, contaId, phone, text)
    await waitUntil(() => textsOf(runtime, phone).length === 5)
    expect(lookUps(recorded)).toBe(0)
    await stop()
  })

  it('leave after one lookup when the earlier one has left already', async () => {
    const { contaId, holder, recorded, stop } = await startTwoNodes()
    const phones = [newPhone(), newPhone(), newPhone()]
    for (const phone of phones) await says(holder, contaId, phone, 'oi')
    await waitUntil(() => phones.every((phone) => textsOf(runtime, phone).length === 2))
    await holder.runtime.idle()
    // A session that starts has queued no message of these contatos yet.
    await holder.runtime.bots.stop(firstLine(contaId))
    await holder.runtime.bots.start(firstLine(contaId))
    await waitUntil(async () => (await holder.runtime.bots.status(firstLine(contaId))).status === 'CONECTADO')
    for (const phone of phones) await says(holder, contaId, phone, '3')
    await waitUntil(() => phones.every((phone) => textsOf(runtime, phone).at(-1) === 'ECO'))
    expect(lookUps(recorded)).toBeGreaterThan(0)
    const before = lookUps(recorded)
    for (const phone of phones) await says(holder, contaId, phone, '1')
    await waitUntil(() => phones.every((phone) => textsOf(runtime, phone).at(-1) === 'HORARIOS'))
    expect(lookUps(recorded)).toBe(before)
    await stop()
  })

  it('wait while the lookup fails and leave in order after it', async () => {
    let failures = 2
    const { contaId, holder, other, stop } = await startTwoNodes({ bus: MUTE_BUS }, (db) => ({
      ...db,
      read: (contas, fn, planner) => db.read(contas, (tx) => fn(failing(tx, () => failures-- > 0)), planner),
    }))
    const phone = newPhone()
    await says(holder, contaId, phone, 'oi')
    await waitUntil(() => textsOf(runtime, phone).length === 2)
    await says(other, contaId, phone, '1')
    await says(holder, contaId, phone, '3')
    await waitUntil(() => textsOf(runtime, phone).length === 4)
    expect(textsOf(runtime, phone).slice(2)).toEqual(['HORARIOS', 'ECO'])
    expect(failures).toBeLessThanOrEqual(0)
    await stop()
  })
})

function failing(tx: Tx, fails: () => boolean): Tx {
  const send: Tx['send'] = (statement, values) =>
    statement.name === LOOK_UP && fails() ? Promise.reject(new Error('connection lost')) : tx.send(statement, values)
  return { ...tx, send }
}
