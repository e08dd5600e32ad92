import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { LojaConfig } from '@balcao/contract/entities/loja'
import { expectAccessible } from '#test/axe.ts'
import { makeConfig } from '#test/dashboard/panel.tsx'
import { ok, refusal } from '#test/fake-api.ts'
import { makeUsuario } from '#test/render.tsx'
import { avisos, button, cardNames, dialog, field, type LojaTestApp, openLojaTab } from './tab.ts'

let app: LojaTestApp | null = null
afterEach(() => app?.unmount())

const toggle = (name: string) => page.getByRole('switch', { name: new RegExp(`^${name}`) })
const part = (name: string) =>
  page.getByRole('navigation', { name: 'Partes da loja' }).getByRole('link', { name, exact: true })
const chat = page.getByRole('log', { name: 'Mensagens' })
const question = page.getByRole('alertdialog')

/** Opens the settings. Saves are kept by the fake server with the next version. */
async function openAjustes(
  change: Partial<LojaConfig> = {},
  ...[produtos, initial]: Parameters<typeof openLojaTab>
): Promise<LojaTestApp & { saved: () => LojaConfig }> {
  const config = makeConfig()
  app = openLojaTab(produtos, { config: { ...config, loja: { ...config.loja, ...change } }, ...initial })
  const { api, server } = app
  api.on('PUT /config', ({ body }) => {
    server.config = { ...server.config, ...Object(body), versao: server.config.versao + 1 }
    return ok({ sucesso: true, config: server.config })
  })
  await part('Ajustes').click()
  await expect.element(toggle('Receber pedidos pelo chat')).toBeVisible()
  return { ...app, saved: () => server.config.loja }
}

const save = () => button('Salvar alterações').click()

describe('Settings of the shop', () => {
  it('saves orders, delivery, payment and texts in one go', async () => {
    const { saved } = await openAjustes()
    await toggle('Receber pedidos pelo chat').click()
    await expect.element(page.getByText('Para o cliente fechar um pedido, falta:')).not.toBeInTheDocument()
    await page.getByLabelText('Lembrar de um pedido parado').selectOptions('Outro tempo')
    await field('Minutos até lembrar').fill('45')
    await toggle('Entregar').click()
    await expect.element(page.getByText('Adicione um bairro ou uma faixa de CEP à entrega.')).toBeVisible()
    await button('Adicionar bairro').click()
    await field('Bairro da taxa 1').fill('Centro')
    await field('Valor da taxa 1').fill('7')
    await button('Adicionar faixa de CEP').click()
    await field('Primeiro CEP da taxa 2').fill('01310000')
    await field('Último CEP da taxa 2').fill('01310-999')
    await field('Valor da taxa 2').fill('9,5')
    await field('Pedido mínimo para entrega').fill('20')
    await field('Entrega grátis a partir de').fill('100')
    await page.getByRole('checkbox', { name: /^Cartão/ }).click()
    await expect.element(field('Chave PIX')).toHaveAccessibleDescription(/Sem a chave, o bot não oferece PIX/)
    await field('Chave PIX').fill('11.222.333/0001-81')
    await expect.element(field('Chave PIX')).toHaveAccessibleDescription('Chave reconhecida: CNPJ.')
    await field('Cidade').fill('Santos')
    await field('Em preparo').fill('No forno: {pedido}')
    await expectAccessible()
    await save()
    await expect.element(avisos.getByText('Ajustes da loja salvos!')).toBeVisible()
    expect(saved()).toMatchObject({
      pedidos: true,
      lembreteMinutos: 45,
      entrega: {
        ativa: true,
        taxas: [
          { bairro: 'Centro', centavos: 700 },
          { cepDe: '01310000', cepAte: '01310999', centavos: 950 },
        ],
        minimoCentavos: 2_000,
        gratisAcimaCentavos: 10_000,
      },
      retirada: true,
      pagamentos: ['pix', 'dinheiro'],
      pix: { chave: '11.222.333/0001-81', cidade: 'Santos' },
      mensagens: { preparo: 'No forno: {pedido}' },
    })
    await expect.element(button('Salvar alterações')).not.toBeInTheDocument()
    await expect.element(part('Cupons')).toBeVisible()
  })

  it('shows the conversa of a customer by the draft', async () => {
    await openAjustes({ pedidos: true, retirada: true, pagamentos: ['dinheiro'] })
    await expect.element(chat.getByText('🏪 Retirar na loja')).toBeInTheDocument()
    await toggle('Entregar').click()
    await button('Adicionar bairro').click()
    await field('Bairro da taxa 1').fill('Vila Nova')
    await field('Valor da taxa 1').fill('8')
    await expect.element(chat.getByText('Entrega: R$ 8,00')).toBeInTheDocument()
    await field('Saiu para entrega').fill('Lá vai o pedido {pedido}!')
    await expect.element(chat.getByText('Lá vai o pedido 1!')).toBeInTheDocument()
    await toggle('Receber pedidos pelo chat').click()
    await expect.element(page.getByText('Com os pedidos desligados, o bot só mostra os produtos.')).toBeVisible()
    await expect.element(chat.getByText('Lá vai o pedido 1!')).not.toBeInTheDocument()
  })

  it('keeps the focus in the list of fees when one comes or goes', async () => {
    await openAjustes({ pedidos: true })
    await toggle('Entregar').click()
    await button('Adicionar bairro').click()
    await expect.element(field('Bairro da taxa 1')).toHaveFocus()
    await button('Adicionar faixa de CEP').click()
    await expect.element(field('Primeiro CEP da taxa 2')).toHaveFocus()
    await button('Remover a taxa 1').click()
    await expect.element(field('Primeiro CEP da taxa 1')).toHaveFocus()
    await button('Remover a taxa 1').click()
    await expect.element(button('Adicionar bairro')).toHaveFocus()
  })

  it('refuses a wrong PIX key and a fee without place before saving', async () => {
    const { api } = await openAjustes({ pedidos: true })
    await field('Chave PIX').fill('111.222.333-44')
    await userEvent.tab()
    await expect
      .element(field('Chave PIX'))
      .toHaveAccessibleDescription(/^Esta chave PIX não existe. Confira os dígitos/)
    await toggle('Entregar').click()
    await button('Adicionar bairro').click()
    await button('Adicionar faixa de CEP').click()
    await field('Primeiro CEP da taxa 2').fill('20000')
    await save()
    await expect.element(field('Bairro da taxa 1')).toHaveFocus()
    await expect.element(field('Bairro da taxa 1')).toHaveAccessibleDescription('Escreva o bairro.')
    await expect.element(field('Valor da taxa 1')).toHaveAccessibleDescription('Informe a taxa. Pode ser 0.')
    await expect.element(field('Primeiro CEP da taxa 2')).toHaveAccessibleDescription('O CEP tem oito números.')
    await expectAccessible()
    expect(api.calls.some(({ route }) => route === 'PUT /config')).toBe(false)
  })

  it('shows a refusal of the server at its field and keeps the draft', async () => {
    const { api } = await openAjustes()
    const mensagem = 'Esta chave não é aceita.'
    api.on('PUT /config', () =>
      refusal(400, 'dadosInvalidos', mensagem, { detalhes: [{ caminho: 'loja.pix.chave', mensagem }] }),
    )
    await field('Chave PIX').fill('ana@aurora.com.br')
    await save()
    await expect.element(avisos.getByText(`Erro ao salvar os ajustes: ${mensagem}`)).toBeVisible()
    await expect.element(field('Chave PIX')).toHaveFocus()
    await expect.element(field('Chave PIX')).toHaveAccessibleDescription(new RegExp(`^${mensagem}`))
    await expect.element(field('Chave PIX')).toHaveValue('ana@aurora.com.br')
  })

  it('asks before a newer version is replaced and before edits are lost', async () => {
    const { api } = await openAjustes()
    api.on('PUT /config', () => refusal(409, 'versaoDesatualizada', 'A configuração mudou.'))
    await field('Nome de quem recebe').fill('Ana')
    await save()
    await expect.element(question.getByText('A configuração mudou em outra janela')).toBeVisible()
    await button('Continuar editando').click()
    await part('Produtos').click()
    await expect.element(question.getByText('Os ajustes da loja ainda não foram salvos.')).toBeVisible()
    await button('Continuar editando').click()
    await button('Descartar').click()
    await expect.element(field('Nome de quem recebe')).toHaveValue('')
    await part('Produtos').click()
    await expect.poll(() => cardNames().length).toBe(4)
  })

  it('fits the narrowest phone and unfolds the conversa', async () => {
    await page.viewport(320, 640)
    await openAjustes({
      pedidos: true,
      entrega: {
        ativa: true,
        minimoCentavos: 0,
        gratisAcimaCentavos: null,
        taxas: [
          { bairro: 'Jardim das Acácias do Norte', centavos: 1_250 },
          { cepDe: '01310000', cepAte: '01310999', centavos: 950 },
        ],
      },
    })
    await expect.element(field('Primeiro CEP da taxa 2')).toHaveValue('01310-000')
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
    await page.getByText('Ver a conversa do cliente').click()
    await expect.element(chat.getByText(/Jardim das Acácias do Norte/).first()).toBeInTheDocument()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
    await expectAccessible()
  })

  it('shows loading and the failure, and stays hidden from operators', async () => {
    app = openLojaTab(undefined, { usuario: makeUsuario({ tipo: 'operador' }) })
    await expect.poll(() => cardNames().length).toBe(4)
    await expect.element(part('Ajustes')).not.toBeInTheDocument()
  })
})

describe('Sample shops', () => {
  it('fills an empty shop and turns orders on', async () => {
    app = openLojaTab([])
    const { api, server, forms, loja } = app
    api.on('PUT /config', ({ body }) => {
      server.config = { ...server.config, ...Object(body) }
      return ok({ sucesso: true, config: server.config })
    })
    await button('Começar de um exemplo').click()
    await page.getByRole('radio', { name: /^Pizzaria/ }).click()
    await expectAccessible()
    await button('Usar este exemplo').click()
    await expect.element(avisos.getByText(/^Exemplo “Pizzaria” pronto: 7 produtos novos/)).toBeVisible()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(loja.produtos.map(({ nome }) => nome)).toContain('Pizza grande')
    const [pizza] = forms
    expect(JSON.parse(pizza?.grupos ?? '[]')).toMatchObject([{ nome: 'Sabores', maximo: 2, preco: 'maior' }, {}])
    expect(server.config.loja).toMatchObject({ pedidos: true, entrega: { ativa: true } })
    expect(server.config.loja.entrega.taxas.length).toBeGreaterThan(1)
  })

  it('asks before it joins own produtos, keeps own fees and goes on after a failure', async () => {
    const taxas = [{ bairro: 'Minha rua', centavos: 100 }]
    const entrega = { ativa: true, taxas, minimoCentavos: 0, gratisAcimaCentavos: null }
    const { api, saved, loja } = await openAjustes({ entrega })
    const create = loja.produtos.length
    await button('Começar de um exemplo').click()
    await button('Usar este exemplo').click()
    await expect.element(question.getByText(/Seus 4 produtos ficam como estão/)).toBeVisible()
    await button('Voltar').click()
    expect(loja.produtos.length).toBe(create)
    let refused = 0
    api.on('GET /config', () => {
      refused += 1
      return refusal(503, 'bancoIndisponivel', 'O servidor está reiniciando.')
    })
    await button('Usar este exemplo').click()
    await button('Juntar').click()
    await expect.element(dialog.getByText(/O servidor está reiniciando./)).toBeVisible()
    expect(refused).toBeGreaterThan(0)
    const added = loja.produtos.length
    expect(added).toBeGreaterThan(create)
    api.on('GET /config', () => ok({ sucesso: true, config: app?.server.config }))
    await button('Usar este exemplo').click()
    await button('Juntar').click()
    await expect.element(avisos.getByText(/^Exemplo “Padaria” pronto/)).toBeVisible()
    expect(loja.produtos.length).toBe(added)
    expect(saved()).toMatchObject({ pedidos: true, entrega: { taxas } })
  })
})
