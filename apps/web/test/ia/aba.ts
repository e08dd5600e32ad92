import { page } from 'vitest/browser'
import { ok } from '#test/fake-api.ts'
import { montarPainel, type PainelDeTeste, type Servidor, umaConfig } from '../dashboard/painel.tsx'

export function abrirIa(inicial?: Partial<Servidor>): PainelDeTeste {
  const painel = montarPainel('/dashboard?aba=ia', inicial)
  painel.api.on('GET /gemini/modelos', () =>
    ok({ doProvedor: false, modelos: [{ id: 'gemini-2.5-flash', nome: 'Gemini 2.5 Flash', recomendado: true }] }),
  )
  painel.api.on('GET /gemini/uso', () => ok({ hoje: { perguntas: 0, tokensEntrada: 0, tokensSaida: 0 }, dias: [] }))
  return painel
}

export const MASCARADA = '••••••••1234'

export function comChave(ia: Partial<ReturnType<typeof umaConfig>['ia']> = {}): Partial<Servidor> {
  const config = umaConfig()
  return { config: { ...config, gemini: { apiKey: MASCARADA }, ia: { ...config.ia, apiKey: MASCARADA, ...ia } } }
}

export const chave = page.getByLabelText('API Key', { exact: true })
export const salvar = page.getByRole('button', { name: 'Salvar', exact: true })
export const testar = page.getByRole('button', { name: 'Testar', exact: true })
export const prompt = page.getByLabelText('Prompt de treinamento')
export const modelo = page.getByLabelText('Modelo')
export const novaPalavra = page.getByLabelText('Nova palavra ou frase')
export const conversa = page.getByRole('log', { name: 'Conversa de teste' })
export const pergunta = page.getByLabelText('Pergunta de teste')
export const perguntar = page.getByRole('button', { name: 'Perguntar' })
export const aviso = (texto: string) => page.getByRole('region', { name: 'Avisos' }).getByText(texto)

export function enviado({ api }: PainelDeTeste): unknown {
  return api.calls.findLast(({ route }) => route === 'PUT /config')?.body
}

export function vezes({ api }: PainelDeTeste, rota: string): number {
  return api.calls.filter(({ route }) => route === rota).length
}
