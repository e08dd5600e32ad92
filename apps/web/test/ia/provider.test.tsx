import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { type FakeAnswer, ok, refusal } from '#test/fake-api.ts'
import { type PanelTestApp, type PanelServer, makeConfig } from '#test/dashboard/panel.tsx'
import {
  openIaTab,
  aviso,
  keyField,
  withKey,
  testConversation,
  modelField,
  questionField,
  askButton,
  promptField,
  saveButton,
  testButton,
  requestCount,
} from './tab.ts'

let painel: PanelTestApp | null = null
function abrir(inicial?: Partial<PanelServer>): PanelTestApp {
  painel = openIaTab(inicial)
  return painel
}
afterEach(() => painel?.unmount())

describe('IA: key', () => {
  it('distinguishes a missing, a good, a bad and an untestable key', async () => {
    const { api } = abrir()
    await testButton.click()
    await expect.element(aviso('Digite uma API Key para testar')).toBeVisible()
    await expect.element(page.getByText('Sem chave', { exact: true })).toBeVisible()
    await keyField.fill('AIza')
    await expect.element(page.getByText('Chave ainda não testada')).toBeVisible()
    api.on('POST /gemini/validar', () => ok({ valida: true }))
    await testButton.click()
    await expect.element(page.getByText('Chave válida', { exact: true })).toBeVisible()
    api.on('POST /gemini/validar', () => ok({ valida: false }))
    await testButton.click()
    await expect.element(aviso('API Key inválida')).toBeVisible()
    await expect.element(page.getByText('Chave inválida', { exact: true })).toBeVisible()
    api.on('POST /gemini/validar', () => refusal(502, 'iaFalhou', 'fora do ar'))
    await testButton.click()
    await expect.element(aviso('Erro ao validar API Key: fora do ar')).toBeVisible()
    await expect.element(page.getByText('Não foi possível testar a chave')).toBeVisible()
    await keyField.fill('AIza2')
    await expect.element(page.getByText('Chave ainda não testada')).toBeVisible()
  })

  it('does not call a key bad when the provider is unreachable', async () => {
    const { api } = abrir(withKey())
    await expect.element(page.getByText('Chave guardada')).toBeVisible()
    api.on('POST /gemini/validar', () => ok({ valida: false, erro: 'Não foi possível conectar ao Gemini.' }))
    await testButton.click()
    await expect.element(page.getByText('Não foi possível testar a chave')).toBeVisible()
    await expect.element(page.getByRole('main').getByText('Não foi possível conectar ao Gemini.')).toBeVisible()
  })
})

describe('IA: stored key', () => {
  it('counts as good once its models loaded, until Restaurar', async () => {
    const screen = abrir(withKey({ promptTreinamento: 'Somos a padaria.' }))
    screen.api.on('GET /gemini/modelos', () =>
      ok({ modelos: [{ id: 'gemini-3-pro', nome: 'Gemini 3 Pro' }], doProvedor: true }),
    )
    const valida = page.getByText('Chave válida', { exact: true })
    await expect.element(valida).toBeVisible()
    expect(requestCount(screen, 'POST /gemini/validar')).toBe(0)
    await page.getByRole('button', { name: 'Restaurar' }).click()
    await expect.element(page.getByText('Chave guardada')).toBeVisible()
    screen.api.on('POST /gemini/validar', () => ok({ valida: true }))
    await testButton.click()
    await expect.element(valida).toBeVisible()
    await keyField.fill('AIzaOutra')
    await expect.element(page.getByText('Chave ainda não testada')).toBeVisible()
  })
})

describe('IA: models', () => {
  it('refetches the list after a good key and after a saved one', async () => {
    const screen = abrir()
    screen.api.on('POST /gemini/validar', () => ok({ valida: true }))
    await expect.element(modelField).toMatchTextContent('Gemini 2.5 Flash (recomendado)')
    screen.api.on('GET /gemini/modelos', () =>
      ok({ modelos: [{ id: 'gemini-3-pro', nome: 'Gemini 3 Pro' }], doProvedor: true }),
    )
    await keyField.fill('AIza')
    await testButton.click()
    await expect.element(modelField).toMatchTextContent('Gemini 3 Pro')
    const before = requestCount(screen, 'GET /gemini/modelos')
    screen.api.on('PUT /config', () => ok({ sucesso: true, config: makeConfig('padaria-aurora', 4) }))
    await saveButton.click()
    await expect.poll(() => requestCount(screen, 'GET /gemini/modelos')).toBe(before + 1)
  })

  it('shows a stored model that is not listed and the replacement of a retired one', async () => {
    abrir(withKey({ modeloGemini: 'gemini-9-ultra' }))
    await expect.element(modelField).toHaveValue('gemini-9-ultra')
    await expect.element(modelField).toMatchTextContent('gemini-9-ultra (fora da lista)')
    painel?.unmount()
    abrir(withKey({ modeloGemini: 'gemini-1.5-pro' }))
    await expect.element(modelField).toHaveAccessibleDescription(/aposentado.*gemini-flash-latest/)
  })

  it('offers the known models when the list fails', async () => {
    const { api } = abrir()
    api.on('GET /gemini/modelos', () => refusal(503, 'servidorOcupado', 'ocupado'))
    await expect.element(page.getByText(/Não foi possível buscar a lista de modelos/)).toBeVisible()
    await expect.element(modelField).toMatchTextContent('Gemini 1.5 Flash (recomendado)')
  })
})

describe('IA: test chat', () => {
  it('links to the key when there is none', async () => {
    abrir()
    await page.getByRole('button', { name: 'Ir para a chave' }).click()
    await expect.element(keyField).toHaveFocus()
    await questionField.fill('Oi?')
    await askButton.click()
    await expect.element(aviso('Configure uma API Key válida primeiro')).toBeVisible()
    await expect.element(questionField).toHaveValue('Oi?')
  })

  it('answers with the unsaved settings and keeps the conversation', async () => {
    const screen = abrir(withKey())
    await promptField.fill('Somos a padaria.')
    const respostas = ['Abrimos às 8h.', 'Sim, até 12h.']
    screen.api.on('POST /gemini/testar', () => ok({ resposta: respostas.shift() ?? '', duracaoMs: 2400 }))
    await askButton.click()
    await expect.element(aviso('Digite uma pergunta para testar')).toBeVisible()
    await questionField.fill('Que horas abrem?')
    await userEvent.keyboard('{Enter}')
    await expect.element(testConversation.getByText('Abrimos às 8h.')).toBeVisible()
    await expect.element(aviso('Teste da IA concluído!')).toBeVisible()
    await questionField.fill('E no domingo?')
    await userEvent.keyboard('{Enter}')
    await expect.element(testConversation.getByText('Sim, até 12h.')).toBeVisible()
    await expect.element(testConversation.getByText('Que horas abrem?')).toBeInTheDocument()
    await expect.poll(() => testConversation.getByText(/2,4/).elements()).toHaveLength(2)
    expect(screen.api.calls.find(({ route }) => route === 'POST /gemini/testar')?.body).toMatchObject({
      pergunta: 'Que horas abrem?',
      ia: { apiKey: '••••••••1234', promptTreinamento: 'Somos a padaria.' },
    })
    await questionField.click()
    await userEvent.keyboard('{ArrowUp}')
    await expect.element(questionField).toHaveValue('E no domingo?')
    await page.getByRole('button', { name: 'Limpar' }).click()
    await expect.element(page.getByRole('button', { name: 'Vocês abrem domingo?' })).toBeVisible()
  })

  it('shows why it failed and repeats the question in its place', async () => {
    const { api } = abrir(withKey())
    api.on('POST /gemini/testar', () => refusal(502, 'iaFalhou', 'A IA não respondeu: o Gemini demorou.'))
    await page.getByRole('button', { name: 'Vocês abrem domingo?' }).click()
    await expect.element(testConversation.getByText('Erro ao gerar resposta de teste.')).toBeVisible()
    await expect.element(aviso('Erro ao testar IA: A IA não respondeu: o Gemini demorou.')).toBeVisible()
    await expect.poll(() => page.getByRole('button', { name: 'Conferir a chave' }).query()).toBeNull()
    api.on('POST /gemini/testar', () => ok({ resposta: 'Não abrimos.', duracaoMs: 10 }))
    await testConversation.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.element(testConversation.getByText('Não abrimos.')).toBeVisible()
    await expect.poll(() => testConversation.getByText('Erro ao gerar resposta de teste.').query()).toBeNull()
    await expect.poll(() => testConversation.getByText('Vocês abrem domingo?').elements()).toHaveLength(1)
  })

  it('links to the key when the server has none', async () => {
    const { api } = abrir(withKey())
    api.on('POST /gemini/testar', () => refusal(400, 'iaSemChave', 'Configure uma API Key válida primeiro'))
    await questionField.fill('Oi')
    await askButton.click()
    await page.getByRole('button', { name: 'Conferir a chave' }).click()
    await expect.element(keyField).toHaveFocus()
  })

  it('waits for one answer before the next question', async () => {
    const screen = abrir(withKey())
    const { promise, resolve } = Promise.withResolvers<FakeAnswer>()
    screen.api.on('POST /gemini/testar', () => promise)
    await questionField.fill('Primeira')
    await userEvent.keyboard('{Enter}')
    await expect.element(testConversation.getByText('Pensando…')).toBeVisible()
    await questionField.fill('Segunda')
    await userEvent.keyboard('{Enter}')
    await expect.element(questionField).toHaveValue('Segunda')
    resolve(ok({ resposta: 'Pronto.', duracaoMs: 5 }))
    await expect.element(testConversation.getByText('Pronto.')).toBeVisible()
    expect(requestCount(screen, 'POST /gemini/testar')).toBe(1)
  })

  it('passes axe with an answer and a failure', async () => {
    const { api } = abrir(withKey())
    api.on('POST /gemini/testar', () => ok({ resposta: 'Abrimos às 8h.', duracaoMs: 900 }))
    await questionField.fill('Que horas abrem?')
    await askButton.click()
    await expect.element(testConversation.getByText('Abrimos às 8h.')).toBeVisible()
    api.on('POST /gemini/testar', () => refusal(502, 'iaFalhou', 'A API Key foi recusada.'))
    await questionField.fill('E amanhã?')
    await askButton.click()
    await expect.element(page.getByRole('button', { name: 'Conferir a chave' })).toBeVisible()
    await expectAccessible()
  })
})
