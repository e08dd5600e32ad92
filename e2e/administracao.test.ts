import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, openBrowser } from './browser.ts'
import { ADMIN, type Product, startProduct } from './product.ts'

/**
 * Sign-up, approval, deletion and restoration of a usuario, with one browser for the usuario and one for the
 * administrator. The tests build on each other.
 */

const ANA = { nome: 'Ana Ribeiro', email: 'ana@aurora.com.br', senha: 'pao-quente-1' }

let product: Product
let browser: Browser
let chefe: Page
let ana: Page

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  chefe = await novaJanela()
  ana = await novaJanela()
})

afterAll(async () => {
  await browser?.close()
  await product?.destroy()
})

async function novaJanela(): Promise<Page> {
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1366, height: 800 } })
  return context.newPage()
}

async function abrir(screen: string): Promise<void> {
  await chefe.getByRole('navigation', { name: 'Administração' }).getByRole('link', { name: screen }).click()
}

test('a usuario signs up, waits for approval and enters', async () => {
  await ana.goto(`${product.url}/register`)
  await ana.getByLabel('Nome', { exact: true }).fill(ANA.nome)
  await ana.getByLabel('E-mail').fill(ANA.email)
  await ana.getByLabel('Telefone').fill('11987654321')
  await ana.getByLabel('Empresa').fill('Padaria Aurora')
  await ana.getByLabel('Senha', { exact: true }).fill(ANA.senha)
  await ana.getByLabel('Confirmar senha').fill(ANA.senha)
  await ana.getByRole('checkbox').check()
  await ana.getByRole('button', { name: 'Criar conta' }).click()
  await ana.waitForURL('**/login*')
  await logIn(ana, product.url, ANA)
  await ana.getByText('Sua conta aguarda aprovação do administrador.').first().waitFor()

  await logIn(chefe, product.url, ADMIN)
  await chefe.waitForURL('**/admin*')
  await chefe.getByRole('heading', { name: 'Aguardando aprovação (1)' }).waitFor()
  await chefe.getByRole('button', { name: `Ativar ${ANA.nome}` }).click()
  await expect.poll(() => chefe.getByRole('heading', { name: /Aguardando aprovação/ }).count()).toBe(0)

  await logIn(ana, product.url, ANA)
  await ana.waitForURL('**/dashboard*')
})

test('the administrator deletes a usuario by its e-mail, which ends its login', async () => {
  await abrir('Usuários')
  await chefe.getByRole('button', { name: `Excluir ${ANA.nome}` }).click()
  const pergunta = chefe.getByRole('dialog', { name: `Excluir ${ANA.nome}?` })
  await pergunta.getByRole('textbox').fill(ANA.email)
  await pergunta.getByRole('button', { name: 'Excluir usuário' }).click()
  await expect.poll(() => chefe.getByRole('row', { name: ANA.nome }).count()).toBe(0)

  await ana.waitForURL('**/login*')
  await logIn(ana, product.url, ANA)
  await ana.getByText('E-mail ou senha incorretos').first().waitFor()
})

test('the administrator restores the usuario within the shown period', async () => {
  await chefe.getByRole('button', { name: 'Excluídos' }).click()
  await chefe.getByText(/Será apagado de vez em \d\d\/\d\d\/\d{4}/).waitFor()
  await chefe.getByRole('button', { name: `Restaurar ${ANA.nome}` }).click()
  await chefe.getByText('Nenhuma conta excluída').waitFor()
  await logIn(ana, product.url, ANA)
  await ana.waitForURL('**/dashboard*')
})

test('the administrator finds every act in the auditoria', async () => {
  await abrir('Auditoria')
  await chefe.getByRole('searchbox').fill(ANA.email)
  const lines = chefe.getByRole('row').filter({ hasText: ANA.email })
  const acts = async (): Promise<string[]> =>
    (await lines.allInnerTexts()).map(
      (text) =>
        `${/(Entrada no painel|Conta cadastrada|Usuário [^\n\t]+)/u.exec(text)?.[0] ?? text}${/Recusado/.test(text) ? ' !' : ''}`,
    )
  // The login while the usuario was deleted is only counted, like that of any unknown e-mail.
  await expect
    .poll(acts)
    .toEqual([
      'Entrada no painel',
      'Usuário restaurado',
      'Usuário excluído',
      'Entrada no painel',
      'Usuário ativado',
      'Entrada no painel !',
      'Conta cadastrada',
    ])
  await abrir('Sistema')
  await chefe.getByRole('heading', { name: 'Processos no ar (1)' }).waitFor()
  await chefe.getByText('Respondeu agora').waitFor()
})
