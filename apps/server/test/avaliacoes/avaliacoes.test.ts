import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { avaliacoesRoute } from '@balcao/contract/routes/atendimento-conversa'
import { createTestApp, type TestApp, type TestUser } from '#test/app.ts'
import {
  connectBot,
  customerSays,
  givenConta,
  givenOperador,
  givenWaitingCustomer,
  openConversas,
  withVendas,
} from '#test/builders.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ now: '2026-03-10T15:00:00.000Z', settings: { urlPublica: 'https://painel.test' } })
})
afterAll(() => app.close())

const read = async ({ request }: TestUser) =>
  avaliacoesRoute.response.parse((await request('GET', '/atendimento/avaliacoes')).body)

const VAZIO = {
  totalAvaliacoes: 0,
  notaMedia: null,
  distribuicaoNotas: { 0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
  ultimasAvaliacoes: [],
  porSetor: [],
  porOperador: [],
}

describe('GET /atendimento/avaliacoes', () => {
  let dona: TestUser
  let olga: TestUser
  let rui: TestUser
  beforeAll(async () => {
    dona = await givenConta(app)
    await connectBot(dona, withVendas)
    olga = await givenOperador(app, dona, { nome: 'Olga' })
    rui = await givenOperador(app, dona, { nome: 'Rui' })
  })

  let clientes = 0
  async function serve(quem: TestUser, pedido: string, note: string): Promise<string> {
    clientes += 1
    const telefone = `55119333300${10 + clientes}`
    const id = await givenWaitingCustomer(dona, telefone, pedido)
    expect((await quem.request('POST', `/atendimento/conversas/${id}/assumir`)).status).toBe(200)
    expect((await quem.request('POST', `/atendimento/conversas/${id}/finalizar`)).status).toBe(200)
    await customerSays(dona, telefone, note)
    return id
  }

  it('returns empty totals for a new conta', async () => {
    expect(await read(dona)).toEqual(VAZIO)
  })

  it('returns mean, distribution, setores and operadores of this conta', async () => {
    await serve(olga, 'atendente', '5')
    await serve(olga, '7', 'nota 4')
    await serve(olga, '7', 'zero')
    const last = await serve(rui, 'atendente', '5️⃣')
    await serve(rui, 'atendente', 'prefiro não dizer')
    const parsed = await read(olga)
    const { usuario: deOlga } = olga
    const { usuario: deRui } = rui
    expect(parsed).toMatchObject({
      totalAvaliacoes: 4,
      notaMedia: 3.5,
      distribuicaoNotas: { 0: 1, 1: 0, 2: 0, 3: 0, 4: 1, 5: 2 },
    })
    expect(parsed.porSetor).toHaveLength(2)
    expect(parsed.porSetor).toEqual(
      expect.arrayContaining([
        { setor: 'geral', total: 2, notaMedia: 5 },
        { setor: 'vendas', total: 2, notaMedia: 2 },
      ]),
    )
    expect(parsed.porOperador).toEqual([
      { operadorId: deOlga.id, operador: 'Olga', total: 3, notaMedia: 3 },
      { operadorId: deRui.id, operador: 'Rui', total: 1, notaMedia: 5 },
    ])
    expect(parsed.ultimasAvaliacoes.map(({ nota }) => nota)).toEqual([5, 0, 4, 5])
    expect(parsed.ultimasAvaliacoes[0]).toMatchObject({
      conversaId: last,
      protocolo: expect.stringMatching(/^20260310-\d{4}$/),
      setor: 'geral',
      operador: 'Rui',
      cliente: { nome: 'Bia', telefone: expect.stringMatching(/^5511/) },
      criadaEm: '2026-03-10T15:00:00.000Z',
    })
    expect(await read(await givenConta(app))).toEqual(VAZIO)
    const finished = await openConversas(dona, '?status=finalizada&limite=200')
    expect(finished.map(({ nota = -1 }) => nota).toSorted((one, other) => one - other)).toEqual([-1, 0, 4, 5, 5])
    expect((await openConversas(dona)).filter(({ nota }) => nota !== undefined)).toEqual([])
  })

  it('keeps avaliacoes after their conversas and operadores are deleted', async () => {
    const before = await read(dona)
    await dona.request('DELETE', `/conta/operadores/${olga.usuario.id}`)
    expect((await dona.request('DELETE', '/conversas')).status).toBe(200)
    const after = await read(dona)
    expect({ ...after, ultimasAvaliacoes: [] }).toEqual({ ...before, ultimasAvaliacoes: [] })
    expect(after.ultimasAvaliacoes.map(({ nota, setor, operador }) => [nota, setor, operador])).toEqual([
      [5, 'geral', 'Rui'],
      [0, 'vendas', 'Olga'],
      [4, 'vendas', 'Olga'],
      [5, 'geral', 'Olga'],
    ])
    for (const avaliacao of after.ultimasAvaliacoes) {
      expect(avaliacao).not.toHaveProperty('conversaId')
      expect(avaliacao).not.toHaveProperty('protocolo')
    }
  })

  it('returns the last twenty avaliacoes', async () => {
    const { contaId } = dona.usuario
    await app.sql(
      `insert into avaliacoes (conta_id, id, conversa_id, contato_id, nota, criada_em)
       select $1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), i % 6, timestamptz '2027-01-01' + i * interval '1 minute'
         from generate_series(1, 30) i`,
      [contaId],
    )
    const { totalAvaliacoes, ultimasAvaliacoes } = await read(dona)
    expect(totalAvaliacoes).toBe(34)
    expect(ultimasAvaliacoes.map(({ nota }) => nota)).toEqual(Array.from({ length: 20 }, (_, i) => (30 - i) % 6))
    expect(ultimasAvaliacoes[0]?.cliente).toEqual({ nome: '', telefone: '' })
  })
})
