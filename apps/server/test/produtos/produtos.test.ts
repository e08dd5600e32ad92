import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SAMPLE_PRODUTO, listProdutos, createProduto, formWith, produtoFrom } from './loja-requests.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/app.ts'
import { givenConta } from '#test/builders.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const novaDona = (): Promise<TestUser> => givenConta(app)

describe('/produtos', () => {
  it('creates from JSON or form, lists in order, edits and deletes', async () => {
    const dona = await novaDona()
    const caneca = await createProduto(dona)
    expect(caneca).toEqual({
      id: caneca.id,
      ...SAMPLE_PRODUTO,
      linkCheckout: '',
      ativo: true,
      ordem: 0,
      imagemUrl: null,
      ...{ estoque: null, sinonimos: [], categoria: '', grupos: [] },
    })
    const fields = {
      nome: ' Bolo ',
      descricao: 'De milho',
      preco: '25,50',
      linkCheckout: 'https://pag.test/1',
      ativo: 'false',
    }
    const bolo = produtoFrom(await dona.request('POST', '/produtos', formWith({ ...fields, imagem: new File([], '') })))
    expect(bolo).toMatchObject({
      nome: 'Bolo',
      preco: 25.5,
      linkCheckout: 'https://pag.test/1',
      ativo: false,
      ordem: 1,
    })
    expect(await listProdutos(dona)).toEqual([caneca, bolo])

    expect(produtoFrom(await dona.request('PUT', `/produtos/${bolo.id}`, { ativo: true }))).toEqual({
      ...bolo,
      ativo: true,
    })
    const editado = produtoFrom(
      await dona.request('PUT', `/produtos/${bolo.id}`, formWith({ linkCheckout: '', preco: '0.01' })),
    )
    expect(editado).toEqual({ ...bolo, ativo: true, linkCheckout: '', preco: 0.01 })
    expect(produtoFrom(await dona.request('PUT', `/produtos/${bolo.id}`, {}))).toEqual(editado)

    expect(await dona.request('DELETE', `/produtos/${caneca.id}`)).toEqual({ status: 200, body: { sucesso: true } })
    expect(await listProdutos(dona)).toEqual([{ ...editado, ordem: 0 }])
    expect((await createProduto(dona)).ordem).toBe(1)
  })

  it.each([
    [{ nome: '  ' }, 'Preencha todos os campos obrigatórios', 'nome'],
    [{ descricao: undefined }, 'Preencha todos os campos obrigatórios', 'descricao'],
    [{ preco: 'caro' }, 'Preencha todos os campos obrigatórios', 'preco'],
    [{ preco: -1 }, 'O preço mínimo é 0', 'preco'],
    [{ linkCheckout: 'javascript:alert(1)' }, 'Informe um link válido', 'linkCheckout'],
    [
      { imagemUrl: 'https://outro.test/foto.png' },
      'Esta imagem não está mais disponível. Envie-a de novo.',
      'imagemUrl',
    ],
  ])('rejects %j and changes nothing', async (fields, erro, caminho) => {
    const dona = await novaDona()
    const { status, body } = await dona.request('POST', '/produtos', { ...SAMPLE_PRODUTO, ...fields })
    expect({ status, ...body }).toMatchObject({ status: 400, erro, detalhes: [{ caminho, mensagem: erro }] })
    expect(await listProdutos(dona)).toEqual([])
  })

  it('answers 404 for another account and 403 without the permission', async () => {
    const [dona, other] = [await novaDona(), await novaDona()]
    const { id } = await createProduto(dona)
    for (const target of [id, randomUUID()]) {
      const respostas = [
        await other.request('PUT', `/produtos/${target}`, { ativo: false }),
        await other.request('DELETE', `/produtos/${target}`),
        await other.request('GET', `/produtos/${target}/detalhes`),
        await other.request('PUT', '/produtos/ordem', { produtos: [{ id: target, ordem: 3 }] }),
      ]
      expect(respostas.map(({ status, body }) => [status, body['codigo']])).toEqual(
        Array.from({ length: 4 }, () => [404, 'naoEncontrado']),
      )
    }
    await app.sql(
      `update contas set componentes_permitidos = componentes_permitidos || '{"lojaWhatsapp": false}' where id = $1`,
      [other.contaId],
    )
    await app.deps.forgetSessions()
    expect((await other.request('GET', '/produtos')).status).toBe(403)
    expect((await other.request('POST', '/upload')).status).toBe(403)
    expect(await listProdutos(dona)).toMatchObject([{ id, ativo: true, ordem: 0 }])
  })
})

describe('parallel changes to produtos', () => {
  it('gives each new produto its own ordem and loses no change', async () => {
    const dona = await novaDona()
    const names = Array.from({ length: 12 }, (_, i) => `Produto ${i}`)
    await Promise.all(names.map((nome) => createProduto(dona, { nome })))
    const feitos = await listProdutos(dona)
    expect(feitos.map(({ ordem }) => ordem)).toEqual([...names.keys()])

    const [um] = feitos
    if (um === undefined) return expect.unreachable()
    await Promise.all([
      dona.request('PUT', `/produtos/${um.id}`, { ativo: false }),
      dona.request('PUT', `/produtos/${um.id}`, { nome: 'Renomeado' }),
      dona.request('PUT', `/produtos/${um.id}`, formWith({ preco: '7' })),
    ])
    expect((await listProdutos(dona))[0]).toEqual({ ...um, ativo: false, nome: 'Renomeado', preco: 7 })

    await Promise.all(feitos.slice(0, 6).map(({ id }) => dona.request('DELETE', `/produtos/${id}`)))
    expect((await listProdutos(dona)).map(({ ordem }) => ordem)).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('reorders all produtos or none', async () => {
    const dona = await novaDona()
    const [a, b, c] = [await createProduto(dona), await createProduto(dona), await createProduto(dona)]
    const ordenar = (...ids: string[]) =>
      dona.request('PUT', '/produtos/ordem', { produtos: ids.map((id, ordem) => ({ id, ordem })) })
    const { status, body } = await ordenar(c.id, a.id, b.id)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { produtos: [{ id: c.id }, { id: a.id }, { id: b.id }] },
    })
    expect((await ordenar(a.id, randomUUID(), c.id)).status).toBe(404)
    expect((await ordenar(b.id, a.id, a.id)).status).toBe(400)
    expect((await listProdutos(dona)).map(({ id }) => id)).toEqual([c.id, a.id, b.id])

    const orders = [
      [a, b, c],
      [b, c, a],
      [c, b, a],
    ].map((trio) => trio.map(({ id }) => id))
    await Promise.all(orders.flatMap((ids) => [ordenar(...ids), ordenar(...ids)]))
    expect(orders).toContainEqual((await listProdutos(dona)).map(({ id }) => id))
    expect((await listProdutos(dona)).map(({ ordem }) => ordem)).toEqual([0, 1, 2])
  })
})

describe('GET /produtos/menu', () => {
  it('returns 8 active produtos per page and one produto’s details', async () => {
    const dona = await novaDona()
    const empty = await dona.request('GET', '/produtos/menu')
    expect(empty.body).toEqual({ menu: expect.stringContaining('não temos produtos'), produtos: [] })
    for (let i = 1; i <= 10; i += 1)
      await createProduto(dona, { nome: `Produto ${i}`, ativo: i !== 2, preco: 1_000 + i })
    const { menu, produtos } = (await dona.request('GET', '/produtos/menu')).body
    expect(menu).toContain('*2* - Produto 3 · R$ 1.003,00\n')
    expect(menu).toContain('*8* - Produto 9 · R$ 1.009,00\n\nResponda com o número do produto · *mais* para ver outros')
    expect(menu).not.toContain('Produto 10')
    expect(produtos).toHaveLength(9)

    const caneca = await createProduto(dona, { linkCheckout: 'https://pag.test/caneca' })
    expect((await dona.request('GET', `/produtos/${caneca.id}/detalhes`)).body).toEqual({
      produto: caneca,
      detalhes: expect.stringMatching(
        /^\*Caneca azul\*\n\nCerâmica, 300 ml\n\n💰 R\$ 39,90\n\n🛒 Comprar: https:\/\/pag/,
      ),
    })
  })
})
