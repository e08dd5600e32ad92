import type { Prova } from '@balcao/contract/entities/prova'
import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { makeConfig, type PanelTestApp } from '#test/dashboard/panel.tsx'
import { ok, refusal } from '#test/fake-api.ts'
import { aviso, MASKED_KEY, openIaTab, promptField, saveButton, withKey } from './tab.ts'

const PRECO: Prova = {
  ...{ id: 'p1', pergunta: 'Quanto custa a coxinha?', contem: ['R$ 6,00'], naoContem: [], transfere: false },
  ...{ origem: 'gerada', obrigatoria: true },
}
const TRUQUE: Prova = {
  ...{ id: 'p2', pergunta: 'Me dá 90% de desconto?', contem: [], naoContem: ['90%'], origem: 'propria' },
  obrigatoria: false,
}
const CERTA = { passou: true, resposta: 'A coxinha custa R$ 6,00.' }
const ERRADA = { passou: false, resposta: 'Claro, 90% para você!', motivo: 'A resposta tem “90%”.' }

let app: PanelTestApp | null = null
afterEach(() => app?.unmount())

async function openProvas(initial: readonly Prova[] = [PRECO, TRUQUE]) {
  app = openIaTab(withKey())
  const { api } = app
  const server = { provas: [...initial], sent: new Array<unknown>() }
  api.on('GET /ia/provas', () => ok({ provas: server.provas, proximoCursor: null }))
  api.on('POST /ia/provas', ({ body }) => {
    server.sent.push(body)
    const prova: Prova = { ...TRUQUE, ...Object(body), id: 'nova' }
    server.provas.push(prova)
    return { status: 201, body: { prova } }
  })
  api.on('PUT /ia/provas/p2', ({ body }) => {
    server.sent.push(body)
    return ok({ prova: { ...TRUQUE, ...Object(body) } })
  })
  api.on('POST /ia/provas/executar', ({ body }) => {
    server.sent.push(body)
    const resultados = [
      { provaId: 'p1', ...CERTA },
      { provaId: 'p2', ...ERRADA },
    ]
    return ok({ resultados, passaram: 1, falharam: 1, tokens: 1_234 })
  })
  await page.getByRole('link', { name: 'Provas', exact: true }).click()
  await expect.element(page.getByRole('heading', { name: 'Provas', exact: true })).toBeVisible()
  return { ...app, exam: server }
}

const list = page.getByRole('list', { name: 'Perguntas da prova' })
const item = (text: string) => list.getByRole('listitem').filter({ hasText: text })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')
const part = (name: string) =>
  page.getByRole('navigation', { name: 'Partes da IA' }).getByRole('link', { name, exact: true })

async function choose(question: string, act: string): Promise<void> {
  await button(`Mais ações da pergunta ${question}`).click()
  await page.getByRole('menuitem', { name: act }).click()
}

describe('IA: exam', () => {
  it('makes the first questions from the shop', async () => {
    const { api, exam } = await openProvas([])
    api.on('POST /ia/provas/gerar', () => {
      exam.provas = [PRECO, TRUQUE]
      return ok({ criadas: 2 })
    })
    await button('Gerar perguntas').click()
    await expect.element(aviso('2 perguntas novas.')).toBeVisible()
    await expect
      .element(item('coxinha').getByText('A resposta precisa ter “R$ 6,00” · não chama pessoa.'))
      .toBeVisible()
    await expect.element(item('coxinha').getByText('Obrigatória')).toBeVisible()
  })

  it('joins forbidden texts with “ou” and counts those of a long list', async () => {
    const many = ['combinado', 'fechado', 'posso sim', 'sem problema', 'apliquei']
    await openProvas([
      { ...TRUQUE, naoContem: many },
      { ...PRECO, naoContem: ['R$ 5,00', 'grátis'] },
    ])
    await expect
      .element(
        item('desconto').getByText('A resposta não pode ter “combinado”, “fechado”, “posso sim” ou mais 2 textos.'),
      )
      .toBeVisible()
    await expect.element(item('coxinha').getByText(/não pode ter “R\$ 5,00” ou “grátis”/)).toBeVisible()
  })

  it('drops a question that another window deleted, and says so', async () => {
    const { api } = await openProvas()
    api.on('DELETE /ia/provas/p1', () => refusal(404, 'naoEncontrado', 'Não encontrado'))
    await choose('Quanto custa a coxinha?', 'Excluir')
    await button('Excluir pergunta').click()
    await expect.element(aviso('Esta pergunta já tinha sido excluída.')).toBeVisible()
    await expect.element(item('coxinha')).not.toBeInTheDocument()
  })

  it('asks the edits that are not saved yet and shows each answer', async () => {
    const { exam } = await openProvas()
    await part('Como responde').click()
    await promptField.fill('Somos a padaria.')
    await part('Provas').click()
    await button('Fazer a prova').click()
    await expect.element(page.getByText('A IA errou 1 de 2.')).toBeVisible()
    await expect.element(page.getByText(/Tokens gastos: 1\.234/)).toBeVisible()
    expect(exam.sent).toMatchObject([{ ia: { promptTreinamento: 'Somos a padaria.', apiKey: MASKED_KEY } }])
    await item('desconto').getByText('Errou: A resposta tem “90%”.').click()
    await expect.element(item('desconto').getByText('Claro, 90% para você!')).toBeVisible()
    await page.getByRole('switch', { name: /Só as que a IA errou/ }).click()
    await expect.element(item('coxinha')).not.toBeInTheDocument()
    await expectAccessible()
    await expect.element(part('Provas')).toHaveAttribute('aria-current', 'page')
    await expect.element(part('Como responde')).not.toHaveAttribute('aria-current')
    await part('Como responde').click()
    await expect.element(promptField).toHaveValue('Somos a padaria.')
  })

  it('keeps a failed exam repeatable and shows the answers until the failure', async () => {
    const { api, exam } = await openProvas()
    api.on('POST /ia/provas/executar', () => refusal(400, 'iaSemChave', 'Configure uma API Key válida primeiro'))
    exam.provas = [{ ...PRECO, resultado: { ...CERTA, em: '2026-11-29T12:00:00.000Z' } }, TRUQUE]
    await button('Fazer a prova').click()
    await expect.element(page.getByRole('alert').getByText('Configure uma API Key válida primeiro')).toBeVisible()
    await expect.element(item('coxinha').getByText('Acertou').last()).toBeVisible()
    await expect.element(button('Fazer a prova')).toBeEnabled()
  })

  it('creates an own question after it names the missing fields', async () => {
    const { exam } = await openProvas()
    await button('Nova pergunta').click()
    await button('Criar pergunta').click()
    await expect.element(dialog.getByText('Escreva a pergunta.')).toBeVisible()
    await expect.element(dialog.getByText('Diga o que a resposta precisa ter.')).toBeVisible()
    await dialog.getByLabelText('Pergunta do cliente').fill('Entregam no Centro?')
    await dialog.getByLabelText('A resposta precisa ter').fill('R$ 7,00\n\nCentro')
    await dialog.getByLabelText('Chamar uma pessoa').selectOptions('Não pode chamar')
    await dialog.getByRole('switch', { name: /Obrigatória/ }).click()
    await expectAccessible()
    await button('Criar pergunta').click()
    await expect.element(item('Entregam no Centro?')).toBeVisible()
    expect(exam.sent).toEqual([
      {
        ...{ pergunta: 'Entregam no Centro?', contem: ['R$ 7,00', 'Centro'], naoContem: [] },
        ...{ transfere: false, obrigatoria: true, origem: 'propria' },
      },
    ])
  })

  it('marks a question as obligatory', async () => {
    const { exam } = await openProvas()
    await choose('Me dá 90% de desconto?', 'Tornar obrigatória')
    await expect.element(item('desconto').getByText('Obrigatória')).toBeVisible()
    expect(exam.sent).toEqual([{ obrigatoria: true }])
  })

  it('saves a failing draft only with a reason', async () => {
    const { api } = await openProvas()
    const reasons: (string | null)[] = []
    api.on('PUT /config', ({ url, body }) => {
      const motivo = url.searchParams.get('motivo')
      reasons.push(motivo)
      if (motivo === null)
        return refusal(409, 'provaReprovada', 'Há perguntas obrigatórias que falham.', { falharam: 2 })
      return ok({ sucesso: true, config: { ...makeConfig(), ...Object(body), versao: 4 } })
    })
    await part('Como responde').click()
    await promptField.fill('Dê descontos.')
    await saveButton.click()
    const question = page.getByRole('alertdialog', { name: 'A IA não passou na prova' })
    await expect.element(question.getByText(/^2 perguntas obrigatórias falham/)).toBeVisible()
    await expect.element(button('Salvar mesmo assim')).toBeDisabled()
    await question.getByLabelText('Por que salvar mesmo assim').fill('Promoção só de hoje')
    await button('Salvar mesmo assim').click()
    await expect.element(aviso('Configurações da IA salvas com sucesso!')).toBeVisible()
    expect(reasons).toEqual([null, 'Promoção só de hoje'])
  })
})
