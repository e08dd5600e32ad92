import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { channelOf } from '@balcao/contract/connectors'
import type { LineKey } from '#ports/bots.ts'
import { firstLine, storedLine } from '#db/statement/line.ts'
import { createTestRuntime, type TestNode, type TestRuntime } from '#test/bot/test-runtime.ts'

let runtime: TestRuntime
let node: TestNode
beforeAll(async () => {
  runtime = await createTestRuntime()
  node = await runtime.startNode('a')
})
afterAll(() => runtime.close())

const MENU = 'MENU\n1 - Horários\n2 - Atendente\n3 - Eco\n0 - Sair'
let phones = 0

const rows = async (text: string, values: unknown[]) => (await runtime.database.owner.query(text, values)).rows

/** An account with its first line and one more, which hands over to Vendas. */
async function givenLines(): Promise<{ first: LineKey; second: LineKey }> {
  const contaId = await runtime.givenConta()
  const linhaId = randomUUID()
  await rows(
    `insert into linhas (conta_id, id, nome, principal, criada_em) values ($1, $1, 'Principal', true, now())`,
    [contaId],
  )
  await rows(
    `insert into linhas (conta_id, id, nome, conector, setor, criada_em) values ($1, $2, 'Oficina', 'simulador', 'vendas', now())`,
    [contaId, linhaId],
  )
  return { first: firstLine(contaId), second: { contaId, linhaId } }
}

function customer() {
  phones += 1
  const telefone = `55118${String(10_000_000 + phones)}`
  return {
    telefone,
    says: (line: LineKey, texto: string, id: string = randomUUID()) =>
      node.runtime.receive(line, channelOf({ conector: 'simulador', linha: storedLine(line) }), {
        ...{ id, telefone, endereco: telefone, nome: 'Ana', texto, enviadaEm: new Date() },
      }),
  }
}

/** The answers of the shop on a line, oldest first. The line has no session here, so the answers wait. */
async function answers({ contaId, linhaId }: LineKey): Promise<string[]> {
  const found = await rows(
    `select m.texto from saida s join mensagens m on m.conta_id = s.conta_id and m.id = s.mensagem_id
     where s.conta_id = $1 and coalesce(s.linha_id, s.conta_id) = $2 and m.origem = 'bot' order by m.id`,
    [contaId, linhaId],
  )
  return found.map(({ texto }) => String(texto))
}

const conversas = ({ contaId }: LineKey) =>
  rows(
    `select coalesce(linha_id, conta_id) as linha, status, setor from conversas where conta_id = $1 and status <> 'finalizada' order by id`,
    [contaId],
  )

it('keeps a dialogue for each line: in the menu of one and with people on another, with one contato', async () => {
  const { first, second } = await givenLines()
  const ana = customer()
  await ana.says(first, 'oi')
  await ana.says(second, 'oi')
  await ana.says(second, '2')
  await ana.says(first, '1')
  expect(await answers(first)).toEqual(['OLA Ana', MENU, 'HORARIOS'])
  expect((await answers(second)).slice(0, 2)).toEqual(['OLA Ana', MENU])
  expect(await conversas(first)).toEqual([
    { linha: first.linhaId, status: 'bot', setor: null },
    { linha: second.linhaId, status: 'aguardando', setor: 'vendas' },
  ])
  expect(await rows('select nome from contatos where conta_id = $1', [first.contaId])).toEqual([{ nome: 'Ana' }])
  const channels = await rows(`select distinct canal from mensagens where conta_id = $1 order by 1`, [first.contaId])
  expect(channels).toEqual([{ canal: 'simulador' }, { canal: `simulador:${second.linhaId}` }])
})

it('holds a request to stop on every line until the customer takes it back', async () => {
  const { first, second } = await givenLines()
  const ana = customer()
  await ana.says(second, 'PARAR')
  const before = await answers(first)
  await ana.says(first, 'oi')
  await ana.says(first, '1')
  expect(await answers(first)).toEqual(before)
  await ana.says(first, 'VOLTAR')
  const asked = (await answers(second)).length
  await ana.says(second, '1')
  expect((await answers(second)).length).toBeGreaterThan(asked)
})

it('takes one external id on two lines for two messages, and a repeated one on a line for the same', async () => {
  const { first, second } = await givenLines()
  const ana = customer()
  await ana.says(first, 'oi', 'ABC')
  await ana.says(second, 'oi', 'ABC')
  await ana.says(second, 'oi', 'ABC')
  const stored = await rows(`select canal from mensagens where conta_id = $1 and id_externo = 'ABC' order by id`, [
    first.contaId,
  ])
  expect(stored).toEqual([{ canal: 'simulador' }, { canal: `simulador:${second.linhaId}` }])
})

it('keeps both dialogues of one customer who writes on two lines at once', async () => {
  const { first, second } = await givenLines()
  const ana = customer()
  await Promise.all(Array.from({ length: 10 }, (_, n) => ana.says(n % 2 === 0 ? first : second, n < 2 ? 'oi' : '3')))
  expect((await answers(first)).filter((text) => text === 'ECO').length).toBe(4)
  expect((await answers(second)).filter((text) => text === 'ECO').length).toBe(4)
  expect((await conversas(first)).map(({ status }) => status)).toEqual(['bot', 'bot'])
})

it('joins two contatos with their dialogues: an open conversa of another line goes on', async () => {
  const { first, second } = await givenLines()
  const [phone, hidden] = [customer(), customer()]
  await phone.says(first, 'oi')
  await node.runtime.receive(second, channelOf({ conector: 'simulador', linha: storedLine(second) }), {
    ...{ id: randomUUID(), telefone: '', endereco: '111@lid', nome: 'Ana', texto: 'oi', enviadaEm: new Date() },
  })
  await node.runtime.receive(second, channelOf({ conector: 'simulador', linha: storedLine(second) }), {
    ...{ id: randomUUID(), telefone: phone.telefone, endereco: '111@lid', nome: 'Ana', texto: '2' },
    ...{ outrosEnderecos: ['111@lid'], enviadaEm: new Date() },
  })
  await hidden.says(first, 'oi')
  expect(await rows('select 1 from contatos where conta_id = $1', [first.contaId])).toHaveLength(2)
  const open = await conversas(first)
  expect(open).toContainEqual({ linha: second.linhaId, status: 'aguardando', setor: 'vendas' })
  expect(open.filter(({ linha }) => linha === second.linhaId)).toHaveLength(1)
})
