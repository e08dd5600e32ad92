import { page } from 'vitest/browser'
import { ok } from '#test/fake-api.ts'
import { openPanel, type PanelTestApp, type PanelServer, makeConfig } from '#test/dashboard/panel.tsx'

export const NO_COST = { mes: '2026-11', custoCentavos: 0, orcamentoCentavos: null }

export function openIaTab(initial?: Partial<PanelServer>, lista?: 'perguntas'): PanelTestApp {
  const painel = openPanel(`/dashboard?aba=ia${lista === undefined ? '' : `&lista=${lista}`}`, initial)
  painel.api.on('GET /gemini/modelos', () =>
    ok({ doProvedor: false, modelos: [{ id: 'gemini-2.5-flash', nome: 'Gemini 2.5 Flash', recomendado: true }] }),
  )
  painel.api.on('GET /gemini/uso', () =>
    ok({ hoje: { perguntas: 0, tokensEntrada: 0, tokensSaida: 0 }, dias: [], mes: NO_COST }),
  )
  painel.api.on('GET /ia/lacunas', () => ok({ lacunas: [], analisadas: 0 }))
  return painel
}

export const MASKED_KEY = '••••••••1234'

export function withKey(ia: Partial<ReturnType<typeof makeConfig>['ia']> = {}): Partial<PanelServer> {
  const config = makeConfig()
  return { config: { ...config, gemini: { apiKey: MASKED_KEY }, ia: { ...config.ia, apiKey: MASKED_KEY, ...ia } } }
}

export const keyField = page.getByLabelText('API Key', { exact: true })
export const saveButton = page.getByRole('button', { name: 'Salvar', exact: true })
export const testButton = page.getByRole('button', { name: 'Testar', exact: true })
export const promptField = page.getByLabelText('Prompt de treinamento')
export const modelField = page.getByLabelText('Modelo')
export const newWordField = page.getByLabelText('Nova palavra ou frase')
export const testConversation = page.getByRole('log', { name: 'Conversa de teste' })
export const questionField = page.getByLabelText('Pergunta de teste')
export const askButton = page.getByRole('button', { name: 'Perguntar' })
export const aviso = (text: string) => page.getByRole('region', { name: 'Avisos' }).getByText(text)

export function lastSavedConfig({ api }: PanelTestApp): unknown {
  return api.calls.findLast(({ route }) => route === 'PUT /config')?.body
}

export function requestCount({ api }: PanelTestApp, route: string): number {
  return api.calls.filter((call) => call.route === route).length
}

export const openUsage = () => page.getByRole('link', { name: 'Uso e custo' }).click()
