import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conversasHumanasRoute } from '@balcao/contract/routes/atendimento'
import { createTestApp, type TestApp, FIXED_DAY } from '#test/app.ts'
import { givenPerson, type TestPerson } from '#test/builders.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp(FIXED_DAY)
})
afterAll(() => app.close())

interface Nova {
  readonly nome: string
  readonly telefone?: string
  readonly status?: string
  readonly setor?: string
  readonly minuto?: number
  readonly soBot?: boolean
}

async function criar({ contaId }: TestPerson, fresh: Nova): Promise<string> {
  const { nome, telefone = '5511987654321', status = 'aguardando', setor = 'geral', minuto = 0, soBot = false } = fresh
  const { uuid } = app.deps.ids
  const [contato, conversa, mensagem] = [uuid(), uuid(), uuid()]
  const em = new Date(Date.UTC(2026, 2, 10, 10, minuto))
  await app.deps.db.transaction(contaId, async (tx) => {
    await tx.query(
      `insert into contatos (conta_id, id, nome, telefone, endereco, conversa_id, ultima_atividade)
       values ($1, $2, $3, $4, $4, $5, $6)`,
      [contaId, contato, nome, telefone, conversa, em],
    )
    await tx.query(
      `insert into conversas (conta_id, id, contato_id, status, setor, protocolo, iniciada_em, finalizada_em, ultima_atividade)
       values ($1, $2, $3, $4, $5, $6, $7, case when $4 = 'finalizada' then $7::timestamptz end, $7)`,
      [contaId, conversa, contato, status, setor, soBot ? null : '20260310-0001', em],
    )
    await tx.query(
      `insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
       values ($1, $2, $3, 'saida', 'bot', $4, 'simulador', 'enviada', $5)`,
      [contaId, mensagem, conversa, `Olá, ${nome}`, em],
    )
    await tx.query(
      `insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo)
       select $1, $2, $3, 'x', '{}', 'x' where $4 = 'Fila'`,
      [contaId, mensagem, contato, nome],
    )
  })
  return conversa
}

const list = async ({ token }: TestPerson, query: Record<string, string> = {}) => {
  const { status, body } = await app.send('GET', `/atendimento/conversas?${new URLSearchParams(query).toString()}`, {
    token,
  })
  expect(status).toBe(200)
  return conversasHumanasRoute.response.parse(body)
}
const names = async (pessoa: TestPerson, query?: Record<string, string>): Promise<string[]> =>
  (await list(pessoa, query)).conversas.map(({ cliente }) => cliente.nome)

describe('GET /atendimento/conversas', () => {
  it('lists open conversas by latest activity and finished ones only on request', async () => {
    const pessoa = await givenPerson(app)
    await criar(pessoa, { nome: 'Ana', minuto: 1 })
    await criar(pessoa, { nome: 'Bia', minuto: 3, status: 'em_atendimento' })
    await criar(pessoa, { nome: 'Caio', minuto: 2, setor: 'vendas' })
    await criar(pessoa, { nome: 'Davi', minuto: 9, status: 'finalizada' })
    await criar(pessoa, { nome: 'Robô', minuto: 8, status: 'bot', soBot: true })
    await criar(pessoa, { nome: 'Fim do robô', minuto: 7, status: 'finalizada', soBot: true })
    expect(await names(pessoa)).toEqual(['Bia', 'Caio', 'Ana'])
    expect(await names(pessoa, { status: 'todos' })).toEqual(['Bia', 'Caio', 'Ana'])
    expect(await names(pessoa, { status: 'aguardando' })).toEqual(['Caio', 'Ana'])
    expect(await names(pessoa, { status: 'em_atendimento' })).toEqual(['Bia'])
    expect(await names(pessoa, { status: 'finalizada' })).toEqual(['Davi'])
    expect(await names(pessoa, { setor: 'vendas' })).toEqual(['Caio'])
  })

  it('searches by part of the name or phone and escapes wildcards', async () => {
    const pessoa = await givenPerson(app)
    await criar(pessoa, { nome: 'Mariana', telefone: '5511911112222' })
    await criar(pessoa, { nome: '100% Rui', telefone: '5521933334444' })
    expect(await names(pessoa, { busca: 'MARI' })).toEqual(['Mariana'])
    expect(await names(pessoa, { busca: '(21) 93333-4444' })).toEqual(['100% Rui'])
    expect(await names(pessoa, { busca: '%' })).toEqual(['100% Rui'])
    expect(await names(pessoa, { busca: '_' })).toEqual([])
  })

  it('searches with and without accents, like the panel’s filter', async () => {
    const pessoa = await givenPerson(app)
    await criar(pessoa, { nome: 'JOÃO Conceição', minuto: 3 })
    await criar(pessoa, { nome: 'Joao da Silva', minuto: 2 })
    await criar(pessoa, { nome: 'João Açaí'.normalize('NFD'), minuto: 1 })
    for (const busca of ['joao', 'João', 'JOÃO'.normalize('NFD')]) {
      expect([busca, (await names(pessoa, { busca })).length]).toEqual([busca, 3])
    }
    expect(await names(pessoa, { busca: 'conceicao' })).toEqual(['JOÃO Conceição'])
    expect(await names(pessoa, { busca: 'jóana' })).toEqual([])
  })

  it('bounds an answer with many long mensagens and keeps the newest of each conversa', async () => {
    const pessoa = await givenPerson(app)
    const { contaId } = pessoa
    await app.database.owner.query(
      `with novas as (
         insert into contatos (conta_id, id, nome, telefone, endereco)
         select $1, gen_random_uuid(), 'Cliente ' || n, '5511' || n, n::text from generate_series(1, 200) n
         returning id
       )
       insert into conversas (conta_id, id, contato_id, status, setor, protocolo)
       select $1, gen_random_uuid(), id, 'aguardando', 'geral', '20260310-0001' from novas`,
      [contaId],
    )
    await app.database.owner.query(
      `insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
       select $1, ('01900000-0000-7000-8000-' || lpad(to_hex(row_number() over ()), 12, '0'))::uuid, v.id, 'entrada',
         'cliente', n || ' ' || repeat('x', 4000), 'simulador', 'entregue', now()
       from generate_series(1, 100) n, conversas v where v.conta_id = $1 order by n`,
      [contaId],
    )
    const response = await list(pessoa, { limite: '200', mensagens: '100' })
    expect(JSON.stringify(response).length).toBeLessThan(4_000_000)
    expect(response.conversas).toHaveLength(200)
    for (const { mensagens, ultimaMensagem } of response.conversas) {
      expect(mensagens.at(-1)?.texto).toMatch(/^100 x/)
      expect(ultimaMensagem?.texto).toMatch(/^100 x+$/)
      expect(mensagens.length).toBeLessThan(5)
    }
    const { conversas } = await list(pessoa, { limite: '1' })
    expect(conversas[0]?.mensagens.map(({ texto }) => texto.split(' ')[0])).toEqual(
      Array.from({ length: 100 }, (_, n) => String(n + 1)),
    )
  })

  it('pages without gaps or repeats, also for equal timestamps', async () => {
    const pessoa = await givenPerson(app)
    for (let n = 0; n < 5; n += 1) await criar(pessoa, { nome: `N${n}`, minuto: n < 3 ? 5 : n })
    const all = await names(pessoa)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await list(pessoa, { limite: '2', ...(cursor === undefined ? {} : { cursor }) })
      seen.push(...page.conversas.map(({ cliente }) => cliente.nome))
      cursor = page.proximoCursor
    } while (cursor !== undefined)
    expect(seen).toEqual(all)
    expect(new Set(seen).size).toBe(5)
    for (const errado of ['x', '2026-03-10T10:00:00.000Z_x', '_']) {
      const refusal = await app.send('GET', `/atendimento/conversas?cursor=${errado}`, { token: pessoa.token })
      expect(refusal.status).toBe(400)
    }
  })

  it('returns the mensagens of each conversa as pendente or enviada', async () => {
    const pessoa = await givenPerson(app)
    await criar(pessoa, { nome: 'Fila', minuto: 2 })
    const id = await criar(pessoa, { nome: 'Saiu', minuto: 1 })
    const { conversas } = await list(pessoa)
    expect(conversas.map(({ mensagens }) => mensagens.map(({ estado }) => estado))).toEqual([['pendente'], ['enviada']])
    expect(conversas[1]).toMatchObject({
      id,
      protocolo: '20260310-0001',
      ultimaMensagem: { texto: 'Olá, Saiu' },
      ultimaAtividade: '2026-03-10T10:01:00.000Z',
    })
  })

  it('returns only the conta’s conversas and answers 403 without atendimentoHumano', async () => {
    const [ana, rui] = [await givenPerson(app), await givenPerson(app, { sem: ['atendimentoHumano'] })]
    await criar(ana, { nome: 'Da Ana' })
    expect(await names(await givenPerson(app))).toEqual([])
    expect((await app.send('GET', '/atendimento/conversas', { token: rui.token })).status).toBe(403)
  })
})
