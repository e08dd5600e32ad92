import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { firstLine } from '#db/statement/line.ts'
import { waitUntil } from '#test/app.ts'
import { type RecordedDatabase, recordStatements } from '#test/recorded-database.ts'
import {
  connectBot,
  createCustomer,
  createTestRuntime,
  type TestCustomer,
  type TestNode,
  type TestRuntime,
} from './test-runtime.ts'

/** A batch of 100 turns of one kind sends as many statements as a batch of one. */

const CUSTOMERS = 100
/** Statement of every batch that writes turns. */
const BATCH = 'lote-gravar'

let runtime: TestRuntime
let recorded: RecordedDatabase
let node: TestNode
let contaId: string
let customers: readonly TestCustomer[]
/** False while no browser of the conta is connected. */
let watched = true
beforeAll(async () => {
  runtime = await createTestRuntime()
  recorded = recordStatements(runtime.database.db)
  const ai = { answer: () => Promise.resolve({ tipo: 'texto', texto: 'RESPOSTA' } as const) }
  node = await runtime.startNode('one', {
    ...{ ai, db: () => recorded.db, watched: () => watched },
    timings: { renewMs: 60_000, searchMs: 60_000 },
  })
  contaId = await runtime.givenConta(
    (config) => ({
      ...config,
      loja: { ...config.loja, pedidos: true, pagamentos: ['cartao'] },
      ia: {
        ...config.ia,
        ativa: true,
        esperaSegundos: 30,
        gatilhos: ['quanto'],
        comportamentos: { ...config.ia.comportamentos, sempreResponder: false },
      },
      menu: {
        ...config.menu,
        opcoes: [
          ...config.menu.opcoes.map((opcao) => (opcao.tipo === 'humano' ? { ...opcao, setor: 'vendas' } : opcao)),
          { numero: '4', titulo: 'Loja', tipo: 'loja', resposta: '' },
        ],
      },
      atendimento: {
        ...config.atendimento,
        setores: [{ id: 'vendas', nome: 'Vendas', cor: 'blue', ativo: true, criadoEm: '2026-01-01T00:00:00Z' }],
      },
    }),
    1_000_000,
  )
  await runtime.database.owner.query(
    `insert into produtos (conta_id, id, nome, descricao, preco, ordem) values ($1, gen_random_uuid(), 'Bolo', 'Fubá', 10, 1)`,
    [contaId],
  )
  const key = node.deps.vault.seal('chave-de-teste', `configuracoes|dados.gemini.apiKey|${contaId}|config`)
  await runtime.database.owner.query(
    `update configuracoes set dados = jsonb_set(dados, '{gemini,apiKey}', to_jsonb($2::text)) where conta_id = $1`,
    [contaId, key],
  )
  await connectBot(node, contaId)
  await waitUntil(async () => (await node.runtime.bots.status(firstLine(contaId))).status === 'CONECTADO')
  customers = Array.from({ length: CUSTOMERS }, (_, n) => createCustomer(node, contaId, `Cliente ${n}`))
  // Loads the context of the conta and the plans of the statements.
  const first = createCustomer(node, contaId, 'Zero')
  for (const text of ['oi', '1', '4']) await first.says(text)
})
afterAll(() => runtime.close())

/** Runs 100 turns that arrive together and returns the statements of the transactions that wrote them. */
async function statementsOf(
  turn: (customer: TestCustomer) => Promise<void>,
  writers: readonly TestCustomer[] = customers,
): Promise<string[][]> {
  await node.runtime.idle()
  recorded.transactions.length = 0
  await Promise.all(writers.map(turn))
  const written = recorded.transactions.filter((names) => names.includes(BATCH))
  await node.runtime.idle()
  return written
}

const says =
  (text: string) =>
  (customer: TestCustomer): Promise<void> =>
    customer.says(text)

const contatoIds = async (): Promise<Map<string, string>> => {
  const { rows } = await runtime.database.owner.query<{ telefone: string; id: string }>(
    'select telefone, id from contatos where conta_id = $1',
    [contaId],
  )
  return new Map(rows.map(({ telefone, id }) => [telefone, id]))
}

async function countRows(sql: string): Promise<number> {
  const { rows } = await runtime.database.owner.query<{ n: number }>(`select count(*)::int as n from ${sql}`)
  return rows[0]?.n ?? 0
}

const READ = ['contatos-travar-livres', 'contatos-conferir']

describe('statements of a batch of 100 turns', () => {
  it('creates 100 new customers', async () => {
    expect(await statementsOf(says('oi'))).toEqual([['contatos-garantir', BATCH]])
  })

  it('answers a menu option and the menu, and stores user names that move to other customers', async () => {
    const nameOf = (index: number): string => `cliente.${index % CUSTOMERS}`
    const named =
      (shift: number) =>
      ({ phone, name }: TestCustomer): Promise<void> =>
        node.runtime.receive(firstLine(contaId), 'simulador', {
          ...{
            id: `${phone}-nome-${shift}`,
            endereco: phone,
            telefone: phone,
            nome: name,
            texto: shift === 0 ? '1' : 'menu',
          },
          ...{ enviadaEm: new Date(), nomeUsuario: nameOf(Number(name.replace('Cliente ', '')) + shift) },
        })
    const NAMES = ['nomes-de-usuario-tomar', 'nomes-de-usuario-gravar']
    for (const shift of [0, 1]) expect(await statementsOf(named(shift))).toEqual([[...READ, BATCH, ...NAMES]])
    const { rows } = await runtime.database.owner.query<{ nome: string; userName: string }>(
      `select nome, nome_usuario as "userName" from contatos where conta_id = $1 and nome like 'Cliente %'`,
      [contaId],
    )
    expect(rows).toHaveLength(CUSTOMERS)
    for (const { nome, userName } of rows) expect(userName).toBe(nameOf(Number(nome.replace('Cliente ', '')) + 1))
  })

  it.each([
    ['a text that the bot does not understand', 'xyz'],
    ['the shop', '4'],
    ['a product', '1'],
  ])('answers %s', async (_, text) => {
    expect(await statementsOf(says(text))).toEqual([[...READ, BATCH]])
  })

  it('makes 100 orders with numbers without a gap', async () => {
    const buyers = Array.from({ length: CUSTOMERS }, (_, n) => createCustomer(node, contaId, `Comprador ${n}`))
    for (const text of ['oi', '4', '1 bolo', 'fechar']) await statementsOf(says(text), buyers)
    const ORDER = ['produtos: lock to sell', 'pedidos: insert', 'produtos: change stock']
    expect(await statementsOf(says('confirmar'), buyers)).toEqual([[...READ, ...ORDER, BATCH, 'mensagens-marcar']])
    const numbers = 'array_agg(numero order by numero) = array(select generate_series(1, 100))'
    expect(await countRows(`(select from pedidos having ${numbers}) p`)).toBe(1)
  })

  it('stores questions to the assistant', async () => {
    await statementsOf(says('menu'))
    expect(await statementsOf(says('quanto custa?'))).toEqual([[...READ, BATCH, 'perguntas-inserir']])
    expect(await countRows('perguntas_ia')).toBe(CUSTOMERS)
  })

  it('stores quotes and requests to stop', async () => {
    const quoting = ({ phone, name }: TestCustomer): Promise<void> =>
      node.runtime.receive(firstLine(contaId), 'simulador', {
        ...{
          id: `${phone}-parar`,
          endereco: phone,
          telefone: phone,
          nome: name,
          texto: 'PARAR',
          enviadaEm: new Date(),
        },
        citada: { texto: 'MENU', nossa: true },
      })
    expect(await statementsOf(quoting)).toEqual([
      [...READ, BATCH, 'conversas-mudar', 'mensagens-marcar', 'consentimentos-inserir'],
    ])
    expect(await countRows('consentimentos')).toBe(CUSTOMERS)
    await statementsOf(says('VOLTAR'))
  })

  it('hands 100 customers over to people, with 100 different protocol numbers', async () => {
    await statementsOf(says('menu'))
    const warned = vi.spyOn(node.deps.log, 'warn')
    const written = await statementsOf(says('2'))
    expect(written).toEqual([[...READ, 'contas-segurar', BATCH, 'conversas-mudar']])
    expect(recorded.transactions.filter((names) => names.includes('protocolos-proximos'))).toEqual([
      ['protocolos-proximos'],
    ])
    // The events of sent messages need no read.
    expect(recorded.transactions.flat()).not.toContain('mensagens-estados')
    const opened = () => runtime.published.filter(({ event }) => event === 'novaConversaHumana')
    await waitUntil(() => opened().length === CUSTOMERS)
    expect(await countRows(`(select distinct protocolo from conversas where protocolo is not null) p`)).toBe(CUSTOMERS)
    expect(new Set(opened().map(({ payload }) => Object(payload['conversa']).protocolo)).size).toBe(CUSTOMERS)
    // Most summaries of the AI find no room, which is no fault.
    expect(warned).not.toHaveBeenCalled()
  })

  it('stores messages to people', async () => {
    expect(await statementsOf(says('alguém aí?'))).toEqual([[...READ, BATCH, 'conversas-mudar']])
  })

  it('finishes 100 conversas and asks for ratings', async () => {
    const ids = await contatoIds()
    const finish = ({ phone }: TestCustomer): Promise<void> =>
      node.runtime.applyEvent({ ...firstLine(contaId), contatoId: ids.get(phone) ?? '' }, (base) => ({
        tipo: 'atendenteFinalizou',
        ...base,
      }))
    expect(await statementsOf(finish)).toEqual([[...READ, BATCH, 'conversas-mudar']])
  })

  it('stores 100 ratings and publishes them without a read', async () => {
    expect(await statementsOf(says('5'))).toEqual([[...READ, BATCH, 'conversas-mudar', 'avaliacoes-inserir']])
    expect(await countRows('avaliacoes where nota = 5')).toBe(CUSTOMERS)
    const published = runtime.published.filter(({ event }) => event === 'avaliacaoRecebida')
    expect(new Set(published.map(({ payload }) => payload['conversaId'])).size).toBe(CUSTOMERS)
  })

  it('reads nothing for events while no browser is connected', async () => {
    await statementsOf(says('menu'))
    watched = false
    runtime.published.length = 0
    const sent: string[] = []
    for (const text of ['2', 'alguém aí?']) {
      await statementsOf(says(text))
      sent.push(...recorded.transactions.flat())
    }
    watched = true
    expect(sent).toContain('protocolos-proximos')
    const forEvents = ['conversas-algumas', 'conversas-ultimas', 'mensagens-estados']
    expect(sent.filter((name) => forEvents.includes(name))).toEqual([])
    expect(runtime.published.filter(({ event }) => event === 'novaConversaHumana')).toEqual([])
  })

  it('leaves a user name with its contato while another transaction holds that contato', async () => {
    const [first, second] = customers
    if (first === undefined || second === undefined) throw new Error('customers missing')
    const write = (customer: TestCustomer, id: string): Promise<void> =>
      node.runtime.receive(firstLine(contaId), 'simulador', {
        ...{ id, endereco: customer.phone, telefone: customer.phone, nome: customer.name, texto: 'menu' },
        ...{ enviadaEm: new Date(), nomeUsuario: 'disputado' },
      })
    const owner = async (): Promise<unknown> => {
      const { rows } = await runtime.database.owner.query(
        `select telefone from contatos where conta_id = $1 and nome_usuario = 'disputado'`,
        [contaId],
      )
      return rows
    }
    await write(first, 'disputa-1')
    const holder = await runtime.database.owner.connect()
    try {
      await holder.query('begin')
      await holder.query('select 1 from contatos where conta_id = $1 and telefone = $2 for update', [
        contaId,
        first.phone,
      ])
      await write(second, 'disputa-2')
      expect(await owner()).toEqual([{ telefone: first.phone }])
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    await write(second, 'disputa-3')
    expect(await owner()).toEqual([{ telefone: second.phone }])
  })
})
