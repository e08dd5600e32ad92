import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstLine } from '#db/statement/line.ts'
import { openConversaIn, sendMensagem } from '#modules/atendimento/index.ts'
import {
  type TestRuntime,
  connectBot,
  createTestRuntime,
  createCustomer,
  addOperador,
  textsOf,
} from '#test/bot/test-runtime.ts'
import { waitUntil } from '#test/app.ts'

let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
})
afterAll(() => runtime.close())

describe('enviarComoOperador on a node without the session', () => {
  it('sends mensagens in order through the node with the session and publishes them', async () => {
    const comTelefone = await runtime.startNode('com')
    const contaId = await runtime.givenConta()
    await connectBot(comTelefone, contaId)
    // Started after the connection, because an earlier start would take the bot's lease.
    const sem = await runtime.startNode('sem')
    const ana = createCustomer(comTelefone, contaId)
    await ana.says('oi')
    await ana.says('2')
    await comTelefone.runtime.idle()
    const { rows } = await runtime.database.owner.query<{ id: string }>(
      'select id from conversas where conta_id = $1',
      [contaId],
    )
    const { bots, sendEventIn } = sem.runtime
    const pessoa = { id: '01900000-0000-7000-8000-000000000009', nome: 'Rui' }
    await addOperador(runtime, contaId, pessoa)
    const operador = { usuarioId: pessoa.id, nome: pessoa.nome, setores: [], linhas: [] }
    const sent: string[] = []
    for (let n = 0; n < 20; n += 1) {
      const envio = { contaId, conversaId: rows[0]?.id ?? '', texto: `n${n}`, operador }
      const { mensagem } = await sem.deps.db.transaction(contaId, (tx) =>
        sendMensagem(tx, { ...sem.deps, bots, sendEventIn }, envio),
      )
      sent.push(mensagem.id)
    }
    await waitUntil(() => textsOf(runtime, ana.phone).at(-1) === 'n19')
    const doOperador = textsOf(runtime, ana.phone).filter((text) => /^n\d+$/.test(text))
    expect(doOperador).toEqual(sent.map((_, n) => `n${n}`))
    const sairam = (): unknown[] =>
      runtime.published.flatMap(({ event, payload }) => {
        const { id, estado } = Object(payload['mensagem'])
        return event === 'mensagemConversaHumana' && estado === 'enviada' && sent.includes(id) ? [id] : []
      })
    await waitUntil(() => new Set(sairam()).size === 20)
    await comTelefone.stop()
    await sem.stop()
  })
})

it('takes a customer from the bot on a node without the session', async () => {
  const holder = await runtime.startNode('holder')
  const contaId = await runtime.givenConta()
  await connectBot(holder, contaId)
  const other = await runtime.startNode('other')
  const ana = createCustomer(holder, contaId)
  await ana.says('oi')
  await holder.runtime.idle()
  const said = textsOf(runtime, ana.phone)
  const { rows } = await runtime.database.owner.query<{ id: string }>('select id from contatos where telefone = $1', [
    ana.phone,
  ])
  const pessoa = { id: '01900000-0000-7000-8000-00000000000a', nome: 'Rui' }
  await addOperador(runtime, contaId, pessoa)
  const operador = { usuarioId: pessoa.id, nome: pessoa.nome, setores: [], linhas: [] }
  const { bots, applyEventIn, sendEventIn } = other.runtime
  const deps = { ...other.deps, bots, applyEventIn, sendEventIn }
  await other.deps.db.transaction(contaId, async (tx) => {
    const contatoId = rows[0]?.id ?? ''
    const { id } = await openConversaIn(tx, deps, { ...firstLine(contaId), contatoId, setor: 'geral', operador })
    await sendMensagem(tx, deps, { contaId, conversaId: id, texto: 'Sou o Rui', operador })
  })
  await waitUntil(() => textsOf(runtime, ana.phone).at(-1) === 'Sou o Rui')
  await ana.says('1')
  await holder.runtime.idle()
  expect(textsOf(runtime, ana.phone)).toEqual([...said, 'Sou o Rui'])
  await holder.stop()
  await other.stop()
})

it('hands a customer over to Geral when another node has switched the setor off', async () => {
  const node = await runtime.startNode('late')
  const contaId = await runtime.givenConta((config) => ({
    ...config,
    menu: {
      ...config.menu,
      opcoes: config.menu.opcoes.map((opcao) => (opcao.tipo === 'humano' ? { ...opcao, setor: 'vendas' } : opcao)),
    },
    atendimento: {
      ...config.atendimento,
      setores: [{ id: 'vendas', nome: 'Vendas', cor: 'blue', ativo: true, criadoEm: '2026-01-01T00:00:00Z' }],
    },
  }))
  await connectBot(node, contaId)
  const setorOf = async (name: string): Promise<unknown> => {
    const customer = createCustomer(node, contaId, name)
    await customer.says('oi')
    await customer.says('2')
    const { rows } = await runtime.database.owner.query(
      `select v.setor from conversas v join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
       where c.conta_id = $1 and c.telefone = $2`,
      [contaId, customer.phone],
    )
    return rows
  }
  expect(await setorOf('Ana')).toEqual([{ setor: 'vendas' }])
  // Saved by a node whose message to the others was lost.
  await runtime.database.owner.query(
    `insert into configuracoes (conta_id, versao, dados, autor)
     select conta_id, versao + 1, jsonb_set(dados, '{atendimento,setores,0,ativo}', 'false'), autor
     from configuracoes where conta_id = $1`,
    [contaId],
  )
  await runtime.database.owner.query('update contas set versao_contexto = versao_contexto + 1 where id = $1', [contaId])
  expect(await setorOf('Bia')).toEqual([{ setor: 'geral' }])
  await node.stop()
})
