import { ALL_PERMISSIONS, makeUsuario } from '#test/render.tsx'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { type PanelTestApp, type PanelServer, makeConfig } from '#test/dashboard/panel.tsx'
import {
  openIaTab,
  aviso,
  keyField,
  withKey,
  lastSavedConfig,
  newWordField,
  promptField,
  saveButton,
  requestCount,
} from './tab.ts'

let painel: PanelTestApp | null = null
function abrir(inicial?: Partial<PanelServer>): PanelTestApp {
  painel = openIaTab(inicial)
  return painel
}
afterEach(() => painel?.unmount())

const SALVA = 'Configurações da IA salvas com sucesso!'
const toggle = page.getByRole('switch', { name: /Assistente de IA/ })

describe('IA: saving', () => {
  it('refuses activation without a key', async () => {
    const screen = abrir()
    await toggle.click()
    await saveButton.click()
    await expect.element(aviso('API Key é obrigatória quando a IA está ativada')).toBeVisible()
    await expect.element(keyField).toHaveFocus()
    await expect.element(keyField).toHaveAccessibleDescription('API Key é obrigatória quando a IA está ativada')
    expect(lastSavedConfig(screen)).toBeUndefined()
    await keyField.fill('AIza')
    await expect.element(keyField).not.toHaveAttribute('aria-invalid')
  })

  it('saves the configuration with the key under both names and the read version', async () => {
    const screen = abrir()
    const before = screen.server.config
    screen.api.on('PUT /config', () => ok({ sucesso: true, config: makeConfig('padaria-aurora', 4) }))
    await keyField.fill('AIza-nova')
    await newWordField.fill('robô')
    await page.getByRole('button', { name: 'Adicionar' }).click()
    await page.getByRole('button', { name: 'Remover bot' }).click()
    await page.getByLabelText(/Temperatura/).fill('0.3')
    await page.getByLabelText(/Espera antes de responder/).fill('10')
    await page.getByRole('switch', { name: /Ser formal/ }).click()
    await page.getByRole('switch', { name: /Enviar fotos e áudios dos clientes para a IA/ }).click()
    await page.getByRole('switch', { name: /Transcrever os áudios dos clientes/ }).click()
    await page.getByLabelText('Despedida').fill('Tchau!')
    await saveButton.click()
    await expect.element(aviso(SALVA)).toBeVisible()
    expect(lastSavedConfig(screen)).toEqual({
      ...before,
      gemini: { apiKey: 'AIza-nova' },
      ia: {
        ...before.ia,
        apiKey: 'AIza-nova',
        temperaturaResposta: 0.3,
        esperaSegundos: 10,
        lerMidia: true,
        transcrever: true,
        comportamentos: { ...before.ia.comportamentos, serFormal: true },
        gatilhos: ['ia', 'inteligencia artificial', 'assistente', 'ajuda automatica', 'robô'],
        respostasPredefinidas: { ...before.ia.respostasPredefinidas, despedida: 'Tchau!' },
      },
    })
  })

  it('keeps text typed during a save and saves it next', async () => {
    const screen = abrir()
    const answered = Promise.withResolvers<void>()
    screen.api.on('PUT /config', async ({ body }) => {
      await answered.promise
      return ok({ sucesso: true, config: { ...Object(body), versao: 4 } })
    })
    await promptField.fill('Vendemos pão')
    await userEvent.keyboard('{Control>}s{/Control}')
    await expect
      .poll(() => lastSavedConfig(screen))
      .toMatchObject({ versao: 3, ia: { promptTreinamento: 'Vendemos pão' } })
    await promptField.fill('Vendemos pão e café')
    answered.resolve()
    await expect.element(aviso(SALVA)).toBeVisible()
    await expect.element(promptField).toHaveValue('Vendemos pão e café')
    await userEvent.keyboard('{Control>}s{/Control}')
    await expect
      .poll(() => lastSavedConfig(screen))
      .toMatchObject({ versao: 4, ia: { promptTreinamento: 'Vendemos pão e café' } })
  })

  it('asks when another window saved first', async () => {
    const { api } = abrir()
    api.on('PUT /config', () => refusal(409, 'versaoDesatualizada', 'x', { versao: 9 }))
    await keyField.fill('AIza-nova')
    await saveButton.click()
    await expect.element(page.getByText('A configuração mudou em outra janela')).toBeVisible()
    await page.getByRole('button', { name: 'Continuar editando' }).click()
    await expect.element(keyField).toHaveValue('AIza-nova')
  })

  it('shows faults beside their fields, focuses the first and clears them on change', async () => {
    const { api } = abrir()
    api.on('PUT /config', () =>
      refusal(400, 'dadosInvalidos', 'Dados inválidos', {
        detalhes: [
          { caminho: 'ia.promptTreinamento', mensagem: 'No máximo 4096 caracteres' },
          { caminho: 'ia.respostasPredefinidas.despedida', mensagem: 'Despedida longa demais' },
          { caminho: 'ia.gatilhos.2', mensagem: 'Palavra longa demais' },
          { caminho: 'menu.menuPrincipal', mensagem: 'de outra aba' },
        ],
      }),
    )
    await promptField.fill('muito longo')
    await saveButton.click()
    await expect.element(aviso('Erro ao salvar configurações: Dados inválidos')).toBeVisible()
    await expect.element(promptField).toHaveFocus()
    await expect.element(promptField).toHaveAccessibleDescription(/No máximo 4096 caracteres/)
    await expect.element(page.getByLabelText('Despedida')).toHaveAccessibleDescription(/Despedida longa demais/)
    await expect.element(newWordField).toHaveAccessibleDescription(/Palavra longa demais/)
    await promptField.fill('curto')
    await expect.element(promptField).not.toHaveAttribute('aria-invalid')
    await expect.element(page.getByLabelText('Despedida')).toHaveAttribute('aria-invalid', 'true')
  })

  it('refetches after a failed save and keeps the edits', async () => {
    const screen = abrir()
    await expect.element(promptField).toBeVisible()
    screen.api.on('PUT /config', () => refusal(403, 'limitePlano', 'Seu plano não inclui a IA.'))
    const before = requestCount(screen, 'GET /config')
    await promptField.fill('Somos a padaria.')
    await saveButton.click()
    await expect.element(page.getByRole('main').getByText('Seu plano não inclui a IA.', { exact: true })).toBeVisible()
    await expect.poll(() => requestCount(screen, 'GET /config')).toBe(before + 1)
    await expect.element(promptField).toHaveValue('Somos a padaria.')
  })
})

describe('IA: restoring the defaults', () => {
  it('changes only the draft, keeps the key and can be undone', async () => {
    abrir(withKey({ promptTreinamento: 'Somos a padaria.' }))
    await expect.element(promptField).toHaveValue('Somos a padaria.')
    await page.getByRole('button', { name: 'Restaurar' }).click()
    await expect.element(promptField).toHaveValue(makeConfig().ia.promptTreinamento)
    await expect.element(keyField).toHaveValue('••••••••1234')
    await page.getByRole('button', { name: 'Desfazer' }).first().click()
    await expect.element(promptField).toHaveValue('Somos a padaria.')
  })

  it('cannot be undone after a save', async () => {
    const { api } = abrir(withKey({ promptTreinamento: 'Somos a padaria.' }))
    const padrao = makeConfig('padaria-aurora', 4)
    api.on('PUT /config', () => ok({ sucesso: true, config: padrao }))
    await page.getByRole('button', { name: 'Restaurar' }).click()
    await expect.element(promptField).toHaveValue(padrao.ia.promptTreinamento)
    await saveButton.click()
    await expect.element(aviso(SALVA)).toBeVisible()
    await page.getByRole('button', { name: 'Desfazer' }).first().click()
    await expect.element(promptField).toHaveValue(padrao.ia.promptTreinamento)
    await expect.poll(() => page.getByRole('region', { name: 'Alterações não salvas' }).query()).toBeNull()
  })
})

describe('IA: trigger words', () => {
  it('adds several words together and skips duplicates in any spelling', async () => {
    abrir()
    await newWordField.fill('Robô, ROBO, Inteligência  Artificial, falar com robô')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Já está na lista: ROBO, Inteligência Artificial')).toBeVisible()
    const words = page.getByRole('button', { name: /^Remover / }).elements()
    expect(words.map((button) => button.getAttribute('aria-label')?.slice('Remover '.length))).toEqual([
      ...makeConfig().ia.gatilhos,
      'Robô',
      'falar com robô',
    ])
    await expect.element(newWordField).toHaveValue('')
  })

  it('accepts one with a comma, removes one and restores its position', async () => {
    abrir()
    await newWordField.fill('robô')
    await userEvent.keyboard(',')
    await expect.element(page.getByRole('button', { name: 'Remover robô' })).toBeVisible()
    await page.getByRole('button', { name: 'Remover bot' }).click()
    await expect.element(page.getByRole('button', { name: 'Remover assistente' })).toHaveFocus()
    await page.getByRole('button', { name: 'Desfazer' }).first().click()
    const words = page.getByRole('button', { name: /^Remover / }).elements()
    expect(words[2]?.getAttribute('aria-label')).toBe('Remover bot')
  })
})

describe('IA: training prompt', () => {
  it('counts without limiting and inserts templates', async () => {
    abrir()
    await promptField.fill('x'.repeat(2001))
    await expect.element(page.getByText('2001/2000')).toBeVisible()
    await promptField.fill('Somos a padaria.')
    await page.getByRole('button', { name: 'Pagamento' }).click()
    await expect.element(promptField).toHaveValue('Somos a padaria.\nAceitamos Pix, cartão e dinheiro.')
    await expect.element(promptField).toHaveFocus()
    await expect.poll(() => page.getByRole('button', { name: 'Pagamento' }).query()).toBeNull()
  })
})

it('locks the tab without permission', async () => {
  abrir({ usuario: makeUsuario({ componentesPermitidos: { ...ALL_PERMISSIONS, iaChatbot: false } }) })
  await expect.element(page.getByText('Acesso Restrito')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Provedor e modelo' })).not.toBeInTheDocument()
})

it('passes axe in both themes, with faults and unsaved edits', async () => {
  const { api } = abrir(withKey())
  api.on('PUT /config', () =>
    refusal(400, 'dadosInvalidos', 'Dados inválidos', {
      detalhes: [
        { caminho: 'ia.apiKey', mensagem: 'Confira a chave' },
        { caminho: 'ia.esperaSegundos', mensagem: 'De 0 a 30' },
      ],
    }),
  )
  await promptField.fill('Somos a padaria.')
  await saveButton.click()
  await expect.element(page.getByText('De 0 a 30')).toBeVisible()
  await expectAccessible()
})
