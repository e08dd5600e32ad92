import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mensagemSchema } from '@balcao/contract/entities/mensagem'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { chatOf, connectBot, givenConta, givenOperador, givenWaitingCustomer } from '#test/builders.ts'
import { createProduto, formWithPicture, produtoFrom, SAMPLE_PRODUTO } from './loja-requests.ts'
import { testPicture } from './test-pictures.ts'

const TELEFONE = '5511977002233'

let app: TestApp
let dona: TestUser
let vera: TestUser
let conversaId = ''
beforeAll(async () => {
  app = await createTestApp()
  dona = await givenConta(app)
  vera = await givenOperador(app, dona, { nome: 'Vera', setores: ['geral'] })
  await connectBot(dona)
  conversaId = await givenWaitingCustomer(dona, TELEFONE)
})
afterAll(() => app.close())

const send = (produtoId: unknown, quem = vera) =>
  quem.request('POST', `/atendimento/conversas/${conversaId}/produto`, { produtoId })
const onPhone = async () => (await chatOf(dona, TELEFONE)).filter(({ de }) => de === 'bot').map(({ texto }) => texto)

describe('POST /atendimento/conversas/:id/produto', () => {
  it('sends picture and text without the options of the bot', async () => {
    const picture = await testPicture(64, 48).png().toBuffer()
    const form = formWithPicture(picture, { ...SAMPLE_PRODUTO, preco: '39.9' })
    const produto = produtoFrom(await dona.request('POST', '/produtos', form))
    expect((await vera.request('GET', '/atendimento/produtos')).body).toMatchObject({ produtos: [{ id: produto.id }] })
    const { status, body } = await send(produto.id)
    expect(status).toBe(201)
    const mensagem = mensagemSchema.parse(Object(body).mensagem)
    expect(mensagem).toMatchObject({ origem: 'operador', midia: { tipo: 'imagem' } })
    expect(mensagem.midia?.url).toContain(produto.imagemUrl)
    expect(mensagem.texto).toContain(`*${produto.nome}*`)
    expect(mensagem.texto).not.toContain('voltar ao menu')
    await waitUntil(async () => (await onPhone()).at(-1) === mensagem.texto)
  })

  it('sends a long text behind the picture', async () => {
    const picture = await testPicture(64, 48).png().toBuffer()
    const fields = { nome: 'Kit', preco: '10', descricao: 'longa '.repeat(180).trim() }
    const produto = produtoFrom(await dona.request('POST', '/produtos', formWithPicture(picture, fields)))
    expect((await send(produto.id)).body).toMatchObject({ mensagem: { texto: '*Kit*', midia: { tipo: 'imagem' } } })
    await waitUntil(async () => (await onPhone()).at(-1)?.includes('longa longa') === true)
    expect((await onPhone()).at(-2)).toBe('*Kit*')
  })

  it('refuses an unknown or inactive produto and the rules of a send', async () => {
    const produto = await createProduto(dona, { ativo: false })
    for (const id of [produto.id, 'nada']) expect((await send(id)).status).toBe(404)
    expect((await send(1)).status).toBe(400)
    await dona.request('PUT', `/produtos/${produto.id}`, { ativo: true })
    expect((await send(produto.id, dona)).body).toMatchObject({ codigo: 'conversaAssumida' })
    await dona.request('POST', `/atendimento/conversas/${conversaId}/finalizar`)
    expect((await send(produto.id)).body).toMatchObject({ codigo: 'conversaFinalizada' })
  })
})
