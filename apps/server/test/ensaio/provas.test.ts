import { describe, expect, it } from 'vitest'
import { PROVAS_MAX } from '@balcao/contract/entities/prova'
import { waitUntil } from '#test/app.ts'
import { createProduto } from '#test/produtos/loja-requests.ts'
import { VALID_KEY } from '#test/ia/fake-gemini.ts'
import { addProva, listProvas, openExamShop, takeExam } from './exam-shop.ts'

const shop = openExamShop()

const PIX = { pergunta: 'Aceita pix?', contem: ['PIX'], obrigatoria: true }
const asked = (): string[] =>
  shop()
    .fake.requests.map(({ pergunta }) => pergunta)
    .toSorted()

describe('/ia/provas', () => {
  it('stores, changes and deletes a question for its conta only', async () => {
    const prova = await addProva(shop().request, PIX)
    expect(prova).toEqual({ ...PIX, id: expect.any(String), naoContem: [], origem: 'propria' })
    const changed = await shop().request('PUT', `/ia/provas/${prova.id}`, { transfere: true, contem: [] })
    expect(changed).toMatchObject({ status: 200, body: { prova: { transfere: true, contem: [] } } })
    const cleared = await shop().request('PUT', `/ia/provas/${prova.id}`, { transfere: null })
    expect(cleared.body['prova']).not.toHaveProperty('transfere')
    const other = await shop().loginOtherConta()
    expect(await listProvas(other)).toEqual([])
    expect((await other('PUT', `/ia/provas/${prova.id}`, PIX)).status).toBe(404)
    expect((await other('DELETE', `/ia/provas/${prova.id}`)).status).toBe(404)
    expect((await shop().request('DELETE', `/ia/provas/${prova.id}`)).status).toBe(204)
    expect((await shop().request('DELETE', '/ia/provas/nada')).status).toBe(404)
    expect((await shop().request('POST', '/ia/provas', { pergunta: ' ' })).status).toBe(400)
    expect((await shop().request('POST', '/ia/provas', { ...PIX, origem: 'gerada' })).status).toBe(400)
  })

  it('masks personal data in a question that a customer wrote', async () => {
    const { pergunta } = await addProva(shop().request, {
      ...PIX,
      pergunta: 'sou ana@x.com, abre?',
      origem: 'conversa',
    })
    expect(pergunta).toBe('sou [e-mail oculto], abre?')
  })

  it(`refuses question ${PROVAS_MAX + 1} and generates none above the limit`, async () => {
    const { contaId } = shop().app.admin
    await shop().app.sql(
      `insert into provas (conta_id, id, pergunta, contem, nao_contem, origem, obrigatoria)
       select $1, gen_random_uuid(), 'p' || n, '[]', '[]', 'propria', false from generate_series(1, $2::int) n`,
      [contaId, PROVAS_MAX - 3],
    )
    expect((await shop().request('POST', '/ia/provas/gerar')).body).toEqual({ criadas: 3 })
    expect(await shop().request('POST', '/ia/provas', PIX)).toMatchObject({
      ...{ status: 409, body: { codigo: 'limiteDeItens', limite: PROVAS_MAX } },
    })
    await shop().app.sql('delete from provas where conta_id = $1', [contaId])
  })
})

describe('POST /ia/provas/gerar', () => {
  it('adds nothing twice, corrects a changed price and keeps an edited question', async () => {
    const produto = await createProduto(shop().app.admin, { nome: 'Bule', preco: 20 })
    const first = await shop().request('POST', '/ia/provas/gerar')
    const provas = await listProvas(shop().request)
    expect(first.body).toEqual({ criadas: provas.length })
    expect(provas.filter(({ naoContem }) => naoContem.length > 0)).toHaveLength(20)
    expect(provas.every(({ origem, obrigatoria }) => origem === 'gerada' && obrigatoria)).toBe(true)
    const setor = provas.find(({ pergunta }) => pergunta === 'Quero falar com o setor Vendas')
    expect(setor).toMatchObject({ transfere: true })
    await shop().request('PUT', `/ia/provas/${setor?.id}`, { pergunta: 'Me passa para vendas?' })
    expect((await shop().request('PUT', `/produtos/${produto.id}`, { preco: 25 })).status).toBe(200)
    expect((await shop().request('POST', '/ia/provas/gerar')).body).toEqual({ criadas: 0 })
    const after = await listProvas(shop().request)
    expect(after).toHaveLength(provas.length)
    expect(after.find(({ pergunta }) => pergunta === 'Quanto custa Bule?')?.contem).toEqual(['R$ 25,00'])
    expect(after.find(({ id }) => id === setor?.id)?.pergunta).toBe('Me passa para vendas?')
  })
})

describe('POST /ia/provas/executar', () => {
  it('checks the answers of the draft and stores them without saving the draft', async () => {
    const pix = await addProva(shop().request, PIX)
    const person = await addProva(shop().request, { pergunta: 'Chama alguém', transfere: true })
    const price = await addProva(shop().request, { pergunta: 'Quanto é?', contem: ['R$ 10,00'], naoContem: ['grátis'] })
    shop().fake.answerAlways(({ pergunta }) => {
      if (pergunta === PIX.pergunta) return { tipo: 'texto', texto: 'Sim, aceitamos pix.' }
      if (pergunta === 'Quanto é?') return { tipo: 'texto', texto: 'Não sei o preço, e o frete não é GRATIS' }
      return { tipo: 'ferramentas', chamadas: [{ nome: 'transferir_para_setor', args: { setor: 'vendas' } }] }
    })
    const before = await shop().app.sql('select coalesce(sum(perguntas), 0)::int as n from uso_ia')
    const report = await takeExam(shop().request, { promptTreinamento: 'RASCUNHO', apiKey: VALID_KEY })
    expect(report).toEqual({
      resultados: [
        { provaId: pix.id, passou: true, resposta: 'Sim, aceitamos pix.' },
        { provaId: person.id, passou: true, resposta: expect.stringContaining('JA CHAMO') },
        {
          ...{ provaId: price.id, passou: false, resposta: 'Não sei o preço, e o frete não é GRATIS' },
          motivo: 'Faltou “R$ 10,00”. Não podia dizer “grátis”.',
        },
      ],
      ...{ passaram: 2, falharam: 1, tokens: 330 },
    })
    expect(shop().fake.requests[0]?.rawBody).toContain('RASCUNHO')
    const stored = await listProvas(shop().request)
    expect(stored[0]?.resultado).toMatchObject({ passou: true, em: expect.any(String) })
    const [used] = await shop().app.sql('select sum(perguntas)::int as n from uso_ia')
    expect(Number(used?.['n']) - Number(before[0]?.['n'])).toBe(3)
  })

  it('asks again only without a result of this draft', async () => {
    await addProva(shop().request, PIX)
    const other = await addProva(shop().request, { ...PIX, pergunta: 'E cartão?' })
    await takeExam(shop().request)
    expect((await takeExam(shop().request)).tokens).toBe(0)
    expect(asked()).toEqual(['Aceita pix?', 'E cartão?'])
    await shop().request('PUT', `/ia/provas/${other.id}`, { contem: ['cartão'] })
    await takeExam(shop().request)
    expect(asked()).toEqual(['Aceita pix?', 'E cartão?', 'E cartão?'])
    await takeExam(shop().request, { temperaturaResposta: 0.9 })
    expect(shop().fake.requests).toHaveLength(5)
    // A price is a fact on which the answers depend.
    await createProduto(shop().app.admin, { nome: 'Pires' })
    await takeExam(shop().request, { temperaturaResposta: 0.9 })
    expect(shop().fake.requests).toHaveLength(7)
    const source = { tipo: 'texto', titulo: 'Entrega', texto: 'Entregamos no centro até as 20h.' }
    expect((await shop().request('POST', '/ia/fontes', source)).status).toBe(202)
    const isRead = async () => (await shop().app.sql('select 1 from fontes where lida_em is not null')).length > 0
    await waitUntil(isRead)
    await takeExam(shop().request, { temperaturaResposta: 0.9 })
    expect(shop().fake.requests).toHaveLength(9)
  })

  it('fails a question without an answer, and asks it in the next exam', async () => {
    const pix = await addProva(shop().request, PIX)
    shop().fake.answerNext({ tipo: 'recusa' })
    const failed = await takeExam(shop().request)
    expect(failed).toMatchObject({ passaram: 0, falharam: 1 })
    expect(failed.resultados).toEqual([
      { provaId: pix.id, passou: false, resposta: '', motivo: expect.stringContaining('se recusou') },
    ])
    expect((await takeExam(shop().request)).passaram).toBe(1)
  })

  it('stops when the provider answers none of the first questions', async () => {
    for (let n = 0; n < 20; n += 1) await addProva(shop().request, { ...PIX, pergunta: `Pergunta ${n}?` })
    shop().fake.answerAlways(() => ({ tipo: 'recusa' }))
    expect(await takeExam(shop().request)).toMatchObject({ passaram: 0, falharam: 20 })
    expect(shop().fake.requests.length).toBeLessThan(20)
  })

  it('needs a key', async () => {
    const other = await shop().loginOtherConta()
    expect(await other('POST', '/ia/provas/executar', {})).toMatchObject({ body: { codigo: 'iaSemChave' } })
  })
})
