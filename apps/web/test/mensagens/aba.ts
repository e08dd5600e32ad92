import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { ok, refusal } from '#test/fake-api.ts'
import { montarPainel, type PainelDeTeste, type Servidor } from '../dashboard/painel.tsx'

/** Opens the tab over a server that saves like the real one: the next version, or 409 for an outdated one. */
export function abrirMensagens(inicial: Partial<Servidor> = {}): PainelDeTeste {
  const painel = montarPainel('/dashboard?aba=mensagens', inicial)
  const { api, servidor } = painel
  api.on('PUT /config', ({ body }) => {
    if (typeof body !== 'object' || body === null || !('versao' in body)) return refusal(400, 'dadosInvalidos', 'x')
    if (body.versao !== servidor.config.versao) {
      return refusal(409, 'versaoDesatualizada', 'A configuração foi alterada em outra janela.', {
        versao: servidor.config.versao,
      })
    }
    servidor.config = { ...servidor.config, ...body, versao: servidor.config.versao + 1 }
    return ok({ sucesso: true, config: servidor.config })
  })
  return painel
}

export const botao = (nome: string) => page.getByRole('button', { name: nome, exact: true })
export const editar = botao('Editar')
export const salvar = botao('Salvar')
export const cancelar = botao('Cancelar')
export const texto = page.getByRole('textbox', { name: 'Texto do menu' })
export const titulo = (numero: string) => page.getByRole('textbox', { name: `Título da opção ${numero}`, exact: true })
export const numero = (atual: string) => page.getByRole('textbox', { name: `Número da opção ${atual}`, exact: true })
export const tipo = (qual: string) => page.getByRole('combobox', { name: `Tipo da opção ${qual}`, exact: true })
export const setor = (qual: string) => page.getByRole('combobox', { name: `Setor da opção ${qual}`, exact: true })
export const resposta = (qual: string) => page.getByRole('textbox', { name: `Resposta da opção ${qual}`, exact: true })
export const avisos = page.getByRole('region', { name: 'Avisos' })
export const aviso = (dito: string | RegExp) => avisos.getByText(dito)
export const desfazer = avisos.getByRole('button', { name: 'Desfazer' })

export function numeros(): string[] {
  return page
    .getByRole('textbox', { name: /^Número da opção/ })
    .elements()
    .map((campo) => (campo instanceof HTMLInputElement ? campo.value : ''))
}

export async function abrirAutomaticas(): Promise<void> {
  await page.getByRole('heading', { level: 2, name: 'Mensagens automáticas' }).click()
}

/** Waits until the save has ended: read-only, with its notice. Otherwise the notice appears in the next test. */
export async function esperarSalvo(): Promise<void> {
  await expect.element(editar).toBeVisible()
  await expect.element(aviso('Menu e mensagens salvos com sucesso!')).toBeVisible()
}

export function enviado({ api }: PainelDeTeste): unknown {
  return api.calls.findLast(({ route }) => route === 'PUT /config')?.body
}
