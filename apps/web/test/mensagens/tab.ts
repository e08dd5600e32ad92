import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { ok, refusal } from '#test/fake-api.ts'
import { openPanel, type PanelTestApp, type PanelServer } from '#test/dashboard/panel.tsx'

/** Opens the tab over a server that saves like the real one: the next version, or 409 for an outdated one. */
export function openMensagensTab(initial: Partial<PanelServer> = {}): PanelTestApp {
  const painel = openPanel('/dashboard?aba=mensagens', initial)
  const { api, server } = painel
  api.on('PUT /config', ({ body }) => {
    if (typeof body !== 'object' || body === null || !('versao' in body)) return refusal(400, 'dadosInvalidos', 'x')
    if (body.versao !== server.config.versao) {
      return refusal(409, 'versaoDesatualizada', 'A configuração foi alterada em outra janela.', {
        versao: server.config.versao,
      })
    }
    server.config = { ...server.config, ...body, versao: server.config.versao + 1 }
    return ok({ sucesso: true, config: server.config })
  })
  return painel
}

export const button = (name: string) => page.getByRole('button', { name: name, exact: true })
export const editButton = button('Editar')
export const saveButton = button('Salvar')
export const cancelButton = button('Cancelar')
export const menuTextField = page.getByRole('textbox', { name: 'Texto do menu' })
export const joinField = page.getByRole('combobox', { name: 'Juntar as respostas em uma mensagem' })
export const optionTitleField = (numero: string) =>
  page.getByRole('textbox', { name: `Título da opção ${numero}`, exact: true })
export const optionNumberField = (current: string) =>
  page.getByRole('textbox', { name: `Número da opção ${current}`, exact: true })
export const optionKindField = (qual: string) =>
  page.getByRole('combobox', { name: `Tipo da opção ${qual}`, exact: true })
export const optionSetorField = (qual: string) =>
  page.getByRole('combobox', { name: `Setor da opção ${qual}`, exact: true })
export const optionReplyField = (qual: string) =>
  page.getByRole('textbox', { name: `Resposta da opção ${qual}`, exact: true })
export const avisos = page.getByRole('region', { name: 'Avisos' })
export const aviso = (text: string | RegExp) => avisos.getByText(text)
export const undoButton = avisos.getByRole('button', { name: 'Desfazer' })

export function optionNumbers(): string[] {
  return page
    .getByRole('textbox', { name: /^Número da opção/ })
    .elements()
    .map((field) => (field instanceof HTMLInputElement ? field.value : ''))
}

export async function openAutomaticMessages(): Promise<void> {
  await page.getByRole('heading', { level: 2, name: 'Mensagens automáticas' }).click()
}

/** Waits until the save has ended: read-only, with its notice. Otherwise the notice appears in the next test. */
export async function waitForSave(): Promise<void> {
  await expect.element(editButton).toBeVisible()
  await expect.element(aviso('Menu e mensagens salvos com sucesso!')).toBeVisible()
}

export function lastSavedConfig({ api }: PanelTestApp): unknown {
  return api.calls.findLast(({ route }) => route === 'PUT /config')?.body
}
