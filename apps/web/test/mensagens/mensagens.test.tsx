import { ALL_PERMISSIONS, makeUsuario } from '#test/render.tsx'
import { fakeSocket } from '../dashboard/fake-socket.ts'
import { defaultMenu } from '@balcao/contract/defaults'
import { MODELOS_MENU } from '@balcao/contract/presets/menu-templates'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok } from '#test/fake-api.ts'
import { CATALOGUE } from '#test/loja/tab.ts'
import { type PanelTestApp, type PanelServer, makeConfig } from '#test/dashboard/panel.tsx'
import {
  openAutomaticMessages,
  openMensagensTab,
  aviso,
  button,
  cancelButton,
  undoButton,
  editButton,
  lastSavedConfig,
  waitForSave,
  optionNumbers,
  saveButton,
  menuTextField,
  optionReplyField,
  optionTitleField,
} from './tab.ts'

let painel: PanelTestApp | null = null
function abrir(inicial?: Partial<PanelServer>): PanelTestApp {
  painel = openMensagensTab(inicial)
  return painel
}
afterEach(async () => {
  painel?.unmount()
  await page.viewport(1366, 800)
  Reflect.deleteProperty(navigator.clipboard, 'writeText')
})

const PADRAO = defaultMenu()
const conversa = page.getByRole('log', { name: 'Mensagens' })
const withoutProdutos = page.getByText('Os produtos da loja não aparecem nesta prévia.')
const requestsProdutos =
  ({ api }: PanelTestApp) =>
  (): boolean =>
    api.calls.some(({ route }) => route === 'GET /produtos')

function outroMenu(): Partial<PanelServer> {
  const config = makeConfig()
  const menu = { ...config.menu, menuPrincipal: 'O meu menu', expiraEmMinutos: 15 }
  return { config: { ...config, menu: { ...menu, opcoes: config.menu.opcoes.slice(2) } } }
}

describe('Menu templates', () => {
  it('offers three, applies one to the draft and undoes it', async () => {
    const screen = abrir(outroMenu())
    await editButton.click()
    await button('Modelos de menu').click()
    const items = page.getByRole('menu', { name: 'Modelos de menu' }).getByRole('menuitem')
    await expect
      .poll(() => items.elements().map((item) => item.textContent))
      .toEqual(MODELOS_MENU.map(({ nome }) => nome))
    await items.nth(1).click()
    const modelo = MODELOS_MENU[1]
    await expect.element(menuTextField).toHaveValue(modelo?.menuPrincipal ?? '')
    await expect.poll(optionNumbers).toEqual(modelo?.opcoes.map((opcao) => opcao.numero))
    await undoButton.click()
    await expect.element(menuTextField).toHaveValue('O meu menu')
    await expect.poll(optionNumbers).toEqual(['3', '4', '0'])
    expect(lastSavedConfig(screen)).toBeUndefined()
  })

  it('opens the editor and keeps the automatic messages', async () => {
    const screen = abrir(outroMenu())
    await button('Modelos de menu').click()
    await page.getByRole('menuitem', { name: 'Suporte por setor' }).click()
    await expect.element(aviso('Modelo “Suporte por setor” aplicado. Salve para valer.')).toBeVisible()
    await saveButton.click()
    await waitForSave()
    const modelo = MODELOS_MENU[2]
    expect(screen.server.config.menu).toEqual({
      ...PADRAO,
      expiraEmMinutos: 15,
      menuPrincipal: modelo?.menuPrincipal,
      opcoes: modelo?.opcoes,
    })
  })

  it('restores the default menu and undoes it', async () => {
    abrir(outroMenu())
    await button('Restaurar').click()
    await expect.element(aviso('Menu restaurado para o padrão. Salve para valer.')).toBeVisible()
    await expect.element(menuTextField).toHaveValue(PADRAO.menuPrincipal)
    await expect.poll(optionNumbers).toEqual(['1', '2', '3', '4', '0'])
    await undoButton.click()
    await expect.element(menuTextField).toHaveValue('O meu menu')
    await cancelButton.click()
    await expect.element(menuTextField).toHaveValue('O meu menu')
  })

  it('restores a removed option in its position, with later edits', async () => {
    abrir()
    await editButton.click()
    await button('Remover a opção 2').click()
    await expect.element(aviso('Opção “Falar com um atendente” removida')).toBeVisible()
    await expect.poll(optionNumbers).toEqual(['1', '3', '4', '0'])
    await optionTitleField('3').fill('Catálogo')
    await undoButton.click()
    await expect.poll(optionNumbers).toEqual(['1', '2', '3', '4', '0'])
    await expect.element(optionTitleField('3')).toHaveValue('Catálogo')
  })

  it('does not restore a discarded draft', async () => {
    abrir()
    await editButton.click()
    await button('Restaurar').click()
    await cancelButton.click()
    await undoButton.click()
    await expect.element(editButton).toBeVisible()
  })
})

describe('Copy of the menu', () => {
  it('copies the menu as the customer reads it, with unsaved edits', async () => {
    let copied = ''
    navigator.clipboard.writeText = (datum) => Promise.resolve(void (copied = datum))
    abrir()
    await editButton.click()
    await menuTextField.fill('Escolha:')
    await button('Copiar menu').click()
    await expect.element(aviso('Menu copiado!')).toBeVisible()
    expect(copied).toBe(
      ['Escolha:', '', ...PADRAO.opcoes.map((opcao) => `*${opcao.numero}* - ${opcao.titulo}`)].join('\n'),
    )
  })

  it('reports a browser that forbids copying', async () => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
    abrir()
    await button('Copiar menu').click()
    await expect.element(aviso('O navegador não deixou copiar o menu')).toBeVisible()
  })
})

describe('Preview of the menu', () => {
  it('answers from unsaved edits', async () => {
    const screen = abrir()
    await expect.element(conversa).toMatchTextContent('Menu principal')
    await editButton.click()
    await menuTextField.fill('Padaria do rascunho')
    await button('Adicionar opção').click()
    await optionTitleField('6').fill('Encomendas')
    await page.getByRole('textbox', { name: 'Teste como cliente' }).fill('menu')
    await userEvent.keyboard('{Enter}')
    await expect.element(conversa).toMatchTextContent('Padaria do rascunho')
    await expect.element(conversa).toMatchTextContent('6 - Encomendas')
    await button('6: Encomendas').click()
    await expect.element(conversa).toMatchTextContent('Escreva aqui a resposta desta opção.')
    expect(lastSavedConfig(screen)).toBeUndefined()
  })

  it('joins the messages of one answer as the line of the account does', async () => {
    const config = makeConfig()
    abrir({ config: { ...config, menu: { ...config.menu, juntarMensagens: 'sempre' } } })
    await expect.element(conversa.getByText(/Que bom ter você aqui\.[^]*Menu principal/).first()).toBeVisible()
  })

  it('lists the active produtos of the loja by order, with their detail', async () => {
    const screen = abrir()
    screen.api.on('GET /produtos', () => ok({ produtos: CATALOGUE.slice(1).toReversed() }))
    await expect.poll(requestsProdutos(screen)).toBe(true)
    await expect.element(conversa).toBeVisible()
    await expect.poll(() => withoutProdutos.query()).toBeNull()
    await button('3: Ver produtos').click()
    await expect.element(conversa).toMatchTextContent(/1 - Bolo de fubá cremoso[^]*2 - Café coado 300 ml/)
    await expect.element(conversa).not.toMatchTextContent('Cesta de café da manhã')
    await button('2: Café coado 300 ml').click()
    await expect.element(conversa).toMatchTextContent('Torra média.')
  })

  it('says that produtos are missing while they load, fail or are not allowed', async () => {
    const failing = abrir()
    await expect.element(withoutProdutos).toBeVisible()
    await expect.poll(requestsProdutos(failing)).toBe(true)
    await expect.element(withoutProdutos).toBeVisible()
    failing.unmount()
    const forbidden = abrir({
      usuario: makeUsuario({ componentesPermitidos: { ...ALL_PERMISSIONS, lojaWhatsapp: false } }),
    })
    await expect.element(withoutProdutos).toBeVisible()
    expect(requestsProdutos(forbidden)()).toBe(false)
  })

  it('highlights the same option on both sides', async () => {
    abrir()
    const bubble = () => document.querySelector('[data-opcao="3"]')?.getAttribute('data-destacada')
    await expect.poll(bubble).toBe('false')
    await page.getByRole('main').getByRole('listitem').nth(2).hover()
    await expect.poll(bubble).toBe('true')
    await page.getByRole('heading', { level: 1 }).hover()
    await expect.poll(bubble).toBe('false')
  })

  it('replaces the editor on a phone', async () => {
    await page.viewport(360, 780)
    abrir()
    await expect.element(menuTextField).toBeVisible()
    await expect.element(conversa).not.toBeInTheDocument()
    await button('Simular').click()
    await expect.element(conversa).toBeVisible()
    await expect.poll(() => menuTextField.query()).toBeNull()
    await button('Menu e mensagens').click()
    await expect.element(menuTextField).toBeVisible()
    await page.viewport(1366, 800)
  })
})

describe('Leaving the editor', () => {
  const pergunta = page.getByRole('alertdialog', { name: 'Sair sem salvar?' })
  const loja = page.getByRole('complementary', { name: 'Menu' }).getByRole('link', { name: 'Loja' })

  it('asks only after a change', async () => {
    abrir()
    await editButton.click()
    await menuTextField.fill('Não salvo')
    await loja.click()
    await pergunta.getByRole('button', { name: 'Continuar editando' }).click()
    await expect.element(menuTextField).toHaveValue('Não salvo')
    await cancelButton.click()
    await loja.click()
    await expect.element(page.getByRole('heading', { level: 1, name: 'Loja' })).toBeVisible()
    await expect.poll(() => pergunta.query()).toBeNull()
  })

  it('leaves after a confirmation', async () => {
    abrir()
    await editButton.click()
    await menuTextField.fill('Não salvo')
    await loja.click()
    await pergunta.getByRole('button', { name: 'Sair sem salvar' }).click()
    await expect.element(page.getByRole('heading', { level: 1, name: 'Loja' })).toBeVisible()
  })

  it('saves and cancels from the bar while the buttons are out of view, and never covers the field', async () => {
    await page.viewport(1366, 768)
    const screen = abrir()
    await editButton.click()
    const bar = page.getByRole('region', { name: 'Alterações não salvas' })
    await menuTextField.fill('Primeiro')
    await expect.element(saveButton).toBeInViewport()
    expect(bar.query()).toBeNull()
    const last = optionReplyField('4')
    last.element().focus()
    await expect.element(bar.getByRole('button', { name: 'Cancelar' })).toBeVisible()
    const isCovered = (field: Element): boolean =>
      field.getBoundingClientRect().bottom > bar.element().getBoundingClientRect().top
    await expect.poll(() => isCovered(last.element())).toBe(false)
    for (const field of document.querySelectorAll<HTMLElement>('#opcoes input, #opcoes select, #opcoes textarea')) {
      if (!field.checkVisibility()) continue
      field.focus({ preventScroll: true })
      if (bar.query() !== null) expect(isCovered(field), field.getAttribute('aria-label') ?? '').toBe(false)
    }
    await bar.getByRole('button', { name: 'Cancelar' }).click()
    await expect.element(menuTextField).toHaveValue(PADRAO.menuPrincipal)
    await editButton.click()
    await menuTextField.fill('Segundo')
    optionReplyField('4').element().focus()
    await bar.getByRole('button', { name: 'Salvar', exact: true }).click()
    await waitForSave()
    expect(screen.server.config.menu.menuPrincipal).toBe('Segundo')
    await expect.poll(() => bar.query()).toBeNull()
  })
})

describe('Mensagens: access and accessibility', () => {
  it('locks the tab without permission', async () => {
    abrir({ usuario: makeUsuario({ componentesPermitidos: { ...ALL_PERMISSIONS, mensagensMenus: false } }) })
    await expect.element(page.getByText('Acesso Restrito').first()).toBeVisible()
    await expect.poll(() => editButton.query()).toBeNull()
  })

  it('keeps the draft through a reconnection', async () => {
    abrir()
    await editButton.click()
    await menuTextField.fill('Rascunho')
    fakeSocket.drop()
    fakeSocket.restore()
    await expect.element(menuTextField).toHaveValue('Rascunho')
  })

  it('passes axe while reading, with every part open', async () => {
    abrir()
    await openAutomaticMessages()
    await expect.element(page.getByRole('textbox', { name: 'Boas-vindas' })).toBeVisible()
    await expect.element(conversa).toBeVisible()
    await expectAccessible()
  })

  it('passes axe while editing, with a fault and unsaved edits', async () => {
    abrir()
    await editButton.click()
    await openAutomaticMessages()
    await button('Adicionar opção').click()
    await page.getByRole('textbox', { name: 'Número da opção 6', exact: true }).fill('2')
    await expect.element(page.getByText('Número repetido').first()).toBeVisible()
    await expect.element(page.getByRole('textbox', { name: 'Boas-vindas' })).toBeVisible()
    await expectAccessible(() => scrollTo(0, document.documentElement.scrollHeight))
  })
})
