import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arquivosDaConversaRoute } from '@balcao/contract/routes/atendimento'
import { type AtendimentoApp, type AtendimentoUser, createAtendimentoApp } from './atendimento-app.ts'
import { png } from '#test/midias/sample-files.ts'
import { waitUntil } from '#test/app.ts'
import { formFile } from '#test/builders.ts'

let shop: AtendimentoApp
beforeAll(async () => {
  shop = await createAtendimentoApp()
})
afterAll(() => shop.close())

async function filesOf(user: AtendimentoUser, id: string, query = '') {
  const { status, body } = await user.request('GET', `/atendimento/conversas/${id}/arquivos${query}`)
  expect(status).toBe(200)
  return arquivosDaConversaRoute.response.parse(body)
}

describe('GET /atendimento/conversas/:id/arquivos', () => {
  it('returns files and links of the contato, newest first, also of earlier conversas', async () => {
    const { dona } = shop
    const { id: first, telefone } = await shop.newWaitingCustomer()
    expect(await filesOf(dona, first)).toEqual({ itens: [] })
    await shop.customerSays(telefone, 'veja www.aurora.com.br, e https://aurora.com.br/bolos')
    await dona.act(first, 'finalizar', { silencioso: true })
    await shop.customerSays(telefone, 'oi')
    await shop.customerSays(telefone, 'atendente')
    const second = await waitUntil(
      async () => (await dona.list()).find(({ cliente }) => cliente.telefone === telefone) ?? null,
    )
    const form = new FormData()
    form.set('arquivo', formFile(png(), 'vitrine.png'))
    const sent = await dona.act(second.id, 'midia', form)
    expect(sent.status).toBe(200)
    const { itens } = await filesOf(dona, second.id)
    expect(itens).toMatchObject([
      { autor: 'Dona', nossa: true, midia: { tipo: 'imagem', nomeArquivo: 'vitrine.png' } },
      { autor: 'Bia', nossa: false, link: 'www.aurora.com.br' },
      { autor: 'Bia', nossa: false, link: 'https://aurora.com.br/bolos' },
    ])
    const { url = '' } = itens[0]?.midia ?? {}
    expect(url).toMatch(/^\/api\/midias\/.+\?e=/)
    // Retention deletes messages, and their files with them.
    await shop.app.sql(`delete from mensagens where id = '${itens[0]?.mensagemId}'`)
    expect((await filesOf(dona, first)).itens).toEqual(itens.slice(1))
  })

  it('pages by 30 messages without gaps, and rejects an unknown cursor', async () => {
    const { dona } = shop
    const { id } = await shop.newWaitingCustomer()
    for (let n = 0; n < 31; n += 1) await dona.act(id, 'mensagem', { mensagem: `https://aurora.com.br/${n}` })
    const page = await filesOf(dona, id)
    const rest = await filesOf(dona, id, `?cursor=${page.proximoCursor}`)
    expect(page.itens).toHaveLength(30)
    expect([...page.itens, ...rest.itens].map(({ link }) => link)).toEqual(
      Array.from({ length: 31 }, (_, n) => `https://aurora.com.br/${30 - n}`),
    )
    expect(rest.proximoCursor).toBeUndefined()
    expect((await dona.request('GET', `/atendimento/conversas/${id}/arquivos?cursor=x`)).status).toBe(400)
  })

  it('leaves out the conversas of setores that the operador may not read', async () => {
    const { dona, rui, app } = shop
    const { id: first, telefone } = await shop.newWaitingCustomer()
    await shop.customerSays(telefone, 'https://aurora.com.br/segredo')
    await dona.act(first, 'finalizar', { silencioso: true })
    await app.sql(`update conversas set setor = 'financeiro' where id = '${first}'`)
    await shop.customerSays(telefone, 'oi')
    await shop.customerSays(telefone, 'atendente')
    const second = await waitUntil(
      async () => (await dona.list()).find(({ cliente }) => cliente.telefone === telefone) ?? null,
    )
    expect((await filesOf(rui, second.id)).itens).toHaveLength(1)
    expect((await dona.request('PUT', `/conta/operadores/${rui.id}`, { setores: ['vendas'] })).status).toBe(200)
    expect((await filesOf(rui, second.id)).itens).toEqual([])
    expect((await rui.request('GET', `/atendimento/conversas/${first}/arquivos`)).status).toBe(404)
  })
})
