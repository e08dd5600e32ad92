import { randomUUID } from 'node:crypto'
import type { SessionHost } from '@balcao/connector/port'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstLine } from '#db/statement/line.ts'
import type { Tx } from '#db/transaction.ts'
import { listOutboxIds } from '#modules/mensagens/index.ts'
import type { LineKey } from '#ports/bots.ts'
import { waitUntil } from '#test/app.ts'
import { explained, mostRead } from '#test/explained.ts'
import { createCustomer, createTestRuntime, insertDeadNode, type TestNode, type TestRuntime } from './test-runtime.ts'

let runtime: TestRuntime
/** The newest session of each line, and the texts that it sent. */
const hosts = new Map<string, SessionHost>()
const sent: { readonly linhaId: string; readonly texto: string }[] = []
/** The credentials with which phones were unlinked. */
const unlinked: { readonly linhaId: string; readonly credentials: unknown }[] = []

beforeAll(async () => {
  runtime = await createTestRuntime()
})
afterAll(() => runtime.close())

const startNode = (name: string): Promise<TestNode> =>
  runtime.startNode(name, {
    connector: (connector, _contaId, host) => {
      hosts.set(host.linhaId, host)
      const send: typeof connector.send = async (message) => {
        await connector.send(message)
        sent.push({ linhaId: host.linhaId, texto: message.texto })
      }
      const logout: typeof connector.logout = async () => {
        unlinked.push({ linhaId: host.linhaId, credentials: host.credentials })
        await connector.logout()
      }
      return { ...connector, send, logout }
    },
    timings: { unlinkMs: 100 },
  })

const sql = async (text: string, ...values: unknown[]): Promise<Record<string, unknown>[]> =>
  (await runtime.database.owner.query<Record<string, unknown>>(text, values)).rows

async function addLine(contaId: string): Promise<LineKey> {
  const linhaId = randomUUID()
  const add = `insert into linhas (conta_id, id, nome, conector, principal, criada_em) values ($1, $2, $3, $4, $5, now())`
  await sql(add, contaId, contaId, 'Principal', null, true)
  await sql(add, contaId, linhaId, 'Filial', 'simulador', false)
  return { contaId, linhaId }
}

const statusOf = async ({ runtime: { bots } }: TestNode, line: LineKey): Promise<string> =>
  (await bots.status(line)).status

async function connect(node: TestNode, line: LineKey): Promise<void> {
  await node.runtime.bots.start(line)
  await waitUntil(async () => (await statusOf(node, line)) === 'AGUARDANDO_QR')
  await node.runtime.simulador.scan(line)
  await waitUntil(async () => (await statusOf(node, line)) === 'CONECTADO')
}

const sessionOf = async ({ linhaId }: LineKey) =>
  (await sql('select no, epoca, status from linhas_bots where linha_id = $1', linhaId))[0]

const eventsOf = (contaId: string, ...names: readonly string[]) =>
  runtime.published.filter((one) => one.contaId === contaId && names.includes(one.event))

describe('two lines of one conta', () => {
  it('leaves one line as it is while the other pairs, is banned and stops', async () => {
    const node = await startNode('both')
    const contaId = await runtime.givenConta()
    const [first, second] = [firstLine(contaId), await addLine(contaId)]
    await connect(node, first)
    const before = await sessionOf(first)
    const ofMain = eventsOf(contaId, 'botQrCode', 'botStatusChange').length
    await connect(node, second)
    expect(eventsOf(contaId, 'linhaQrCode')).toMatchObject([{ payload: { linhaId: second.linhaId } }])
    await hosts.get(second.linhaId)?.linkState({ tipo: 'encerrado', status: 'ERRO', motivo: 'banido' })
    await waitUntil(async () => (await statusOf(node, second)) === 'ERRO')
    const shown = () => eventsOf(contaId, 'linhaMudou').at(-1)?.payload['linha']
    await waitUntil(() => JSON.stringify(shown()).includes('banido'))
    expect(shown()).toMatchObject({ id: second.linhaId, status: 'ERRO', motivo: 'banido', principal: false })
    await connect(node, second)
    await node.runtime.bots.stop(second)
    await waitUntil(async () => (await sessionOf(second))?.['no'] === null)
    expect(await sessionOf(first)).toEqual(before)
    expect(eventsOf(contaId, 'botQrCode', 'botStatusChange')).toHaveLength(ofMain)
    await createCustomer(node, contaId).says('oi')
    await waitUntil(() => sent.filter(({ linhaId }) => linhaId === contaId).length === 2)
    await node.stop()
  })

  it('starts both again after the death of their nodes', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')]
    const contaId = await runtime.givenConta()
    const [first, second] = [firstLine(contaId), await addLine(contaId)]
    await connect(a, first)
    await connect(b, second)
    // Whichever node is faster takes a session that was started.
    for (const line of [first, second])
      expect([a.deps.fleet.self, b.deps.fleet.self]).toContain((await sessionOf(line))?.['no'])
    const dead = await insertDeadNode(runtime.database)
    await sql('update linhas_bots set no = $2, epoca = epoca + 1 where conta_id = $1', contaId, dead)
    await waitUntil(async () => {
      const lines = [await sessionOf(first), await sessionOf(second)]
      return lines.every((line) => line?.['status'] === 'CONECTADO' && line['no'] !== dead)
    })
    await a.stop()
    await b.stop()
  })

  it('unlinks the phone of a deleted line whose node died before it did', async () => {
    const node = await startNode('deleted')
    const contaId = await runtime.givenConta()
    const [first, second] = [firstLine(contaId), await addLine(contaId)]
    await connect(node, first)
    await connect(node, second)
    const dead = await insertDeadNode(runtime.database)
    await sql(
      `with l as (update linhas set ativa = false, removida_em = now() where id = $1)
       update linhas_bots set no = $2, epoca = epoca + 1, desejado = false where linha_id = $1`,
      second.linhaId,
      dead,
    )
    const credentials = `select 1 from linhas_bots where linha_id = $1 and (credenciais is not null or no is not null)`
    await waitUntil(async () => (await sql(credentials, second.linhaId)).length === 0)
    expect(unlinked).toEqual([{ linhaId: second.linhaId, credentials: { pareado: true } }])
    expect(await statusOf(node, first)).toBe('CONECTADO')
    await node.stop()
  })

  it('sends a waiting message through the session of its line', async () => {
    const node = await startNode('outbox')
    const contaId = await runtime.givenConta()
    const [first, second] = [firstLine(contaId), await addLine(contaId)]
    for (const [linhaId, texto] of [
      [null, 'pela primeira'],
      [second.linhaId, 'pela filial'],
    ]) {
      await sql(
        `with c as (
           insert into contatos (conta_id, id, nome, telefone, endereco) values ($1, gen_random_uuid(), '', '', 'x') returning id
         ), v as (
           insert into conversas (conta_id, id, contato_id, status, iniciada_em, ultima_atividade, linha_id)
           select $1, gen_random_uuid(), id, 'bot', now(), now(), $2 from c returning id, contato_id
         ), m as (
           insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
           select $1, uuidv7(), id, 'saida', 'bot', $3, 'simulador', 'enviada', now() from v returning id, conversa_id
         )
         insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo, vence_em, linha_id)
         select $1, m.id, v.contato_id, 'x', '{}', m.id::text, now() + interval '1 hour', $2 from m join v on v.id = m.conversa_id`,
        ...[contaId, linhaId, texto],
      )
    }
    const ofConta = () => sent.filter(({ linhaId }) => linhaId === contaId || linhaId === second.linhaId)
    await connect(node, first)
    await waitUntil(() => ofConta().length > 0)
    // The poll of stored work ran several times.
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(ofConta()).toEqual([{ linhaId: contaId, texto: 'pela primeira' }])
    await connect(node, second)
    await waitUntil(() => ofConta().length === 2)
    expect(ofConta()[1]).toEqual({ linhaId: second.linhaId, texto: 'pela filial' })
    await node.stop()
  })
})

it('reads a page of the outbox of one line without sorting all rows that wait', async () => {
  const contaId = await runtime.givenConta()
  const second = await addLine(contaId)
  await sql(
    `insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo, linha_id)
     select $1, uuidv7(), gen_random_uuid(), 'x', '{}', n::text, case when n % 2 = 0 then $2::uuid end
     from generate_series(1, 4000) n`,
    ...[contaId, second.linhaId],
  )
  for (const line of [firstLine(contaId), second]) {
    const plans: unknown[] = []
    const list = (tx: Tx) => listOutboxIds(explained(tx, plans), { line, after: null, max: 500 })
    expect(await runtime.database.db.read(contaId, list, { planner: 'indexes' })).toHaveLength(500)
    expect(plans.map(mostRead).every((rows) => rows <= 1_000)).toBe(true)
  }
  await sql('delete from saida where conta_id = $1', contaId)
})
