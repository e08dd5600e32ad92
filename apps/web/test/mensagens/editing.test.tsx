import '../dashboard/fake-socket.ts'
import { RESPOSTA_LOJA_PADRAO } from '@balcao/contract/constants'
import type { VersionedConfig } from '@balcao/contract/entities/config'
import { defaultMenu } from '@balcao/contract/defaults'
import { NOVA_OPCAO } from '@balcao/contract/presets/editor-presets'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ok, refusal } from '#test/fake-api.ts'
import { type PanelTestApp, type PanelServer, makeConfig } from '#test/dashboard/panel.tsx'
import {
  openAutomaticMessages,
  openMensagensTab,
  aviso,
  button,
  cancelButton,
  editButton,
  lastSavedConfig,
  waitForSave,
  optionNumberField,
  optionNumbers,
  optionReplyField,
  saveButton,
  optionSetorField,
  joinField,
  menuTextField,
  optionKindField,
  optionTitleField,
  undoButton,
} from './tab.ts'

let painel: PanelTestApp | null = null
function abrir(inicial?: Partial<PanelServer>): PanelTestApp {
  painel = openMensagensTab(inicial)
  return painel
}
afterEach(() => painel?.unmount())

const PADRAO = defaultMenu()

async function abrirEditando(inicial?: Partial<PanelServer>): Promise<PanelTestApp> {
  const screen = abrir(inicial)
  await editButton.click()
  return screen
}

describe('Mensagens: reading', () => {
  it('shows text and options with kind, setor and reply, without controls', async () => {
    abrir()
    await expect.element(menuTextField).toHaveValue(PADRAO.menuPrincipal)
    await expect.element(menuTextField).toHaveAttribute('readonly')
    const lines = page.getByRole('main').getByRole('listitem')
    expect(lines.elements().map((line) => line.textContent.split(/(?<=\d)/)[0])).toEqual(
      PADRAO.opcoes.map((opcao) => `Opção ${opcao.numero}`),
    )
    await expect.element(lines.nth(1)).toMatchTextContent('Falar com um atendenteAtendente · Geral')
    await expect.element(lines.nth(3)).toMatchTextContent('Segunda a sexta, das 8h às 18h.')
    await expect.element(lines.nth(4)).toMatchTextContent('automática “Despedida”')
    for (const nome of ['Salvar', 'Cancelar', 'Adicionar opção', 'Negrito em Texto do menu', 'Inserir 👋']) {
      await expect.poll(() => button(nome).query()).toBeNull()
    }
    await expect.poll(() => page.getByRole('main').getByRole('combobox').query()).toBeNull()
  })

  it('warns of an AI option while the AI is off and links to its tab', async () => {
    abrir()
    await expect.element(page.getByText(/A opção 1 chama a IA, que está desligada/)).toBeVisible()
    await editButton.click()
    await optionKindField('1').selectOptions('mensagem')
    await expect.poll(() => page.getByText(/que está desligada/).query()).toBeNull()
    await optionKindField('2').selectOptions('ia')
    await expect.element(page.getByText(/A opção 2 chama a IA/)).toBeVisible()
    await cancelButton.click()
    await page.getByRole('link', { name: 'Ligar a IA' }).click()
    await expect.element(page.getByRole('switch', { name: /Assistente de IA/ })).toBeVisible()
  })

  it('does not warn while the AI is on', async () => {
    const config = makeConfig()
    abrir({ config: { ...config, ia: { ...config.ia, ativa: true } } })
    await expect.element(menuTextField).toBeVisible()
    await expect.poll(() => page.getByText(/que está desligada/).query()).toBeNull()
  })

  it('keeps the automatic messages folded, and read-only when opened', async () => {
    abrir()
    await expect.element(menuTextField).toBeVisible()
    await expect.poll(() => page.getByRole('textbox', { name: 'Boas-vindas' }).query()).toBeNull()
    await openAutomaticMessages()
    for (const label of ['Boas-vindas', 'Opção inválida', 'Sem entender', 'Fora do período', 'Despedida']) {
      await expect.element(page.getByRole('textbox', { name: label, exact: true })).toHaveAttribute('readonly')
    }
    await expect.element(page.getByLabelText(/Recomeçar depois de/)).toHaveAttribute('readonly')
    await expect.element(page.getByRole('switch', { name: /digitando/ })).toBeDisabled()
    await expect.element(joinField).toBeDisabled()
    await expect.element(joinField).toHaveValue('oficial')
  })

  it('folds and unfolds each part', async () => {
    abrir()
    await expect.element(menuTextField).toBeVisible()
    await page.getByRole('heading', { level: 2, name: 'Texto do menu principal' }).click()
    await expect.poll(() => menuTextField.query()).toBeNull()
    await page.getByRole('heading', { level: 2, name: 'Opções do menu' }).click()
    await expect.poll(() => page.getByRole('main').getByRole('listitem').query()).toBeNull()
  })
})

describe('Mensagens: contradictions of the menu', () => {
  const withMenu = (menu: Partial<VersionedConfig['menu']>): VersionedConfig => {
    const config = makeConfig()
    return { ...config, menu: { ...config.menu, ...menu } }
  }
  const typed = 'Olá!\n2 - Atendente\n*3 - Ver produtos*\n7 - Entregas'

  it('names typed options that differ from the list, and mends each with one click', async () => {
    const screen = abrir({ config: withMenu({ menuPrincipal: typed }) })
    await expect.element(page.getByText(/oferece a opção 7 “Entregas”, que não existe/)).toBeVisible()
    await button('Tirar a linha').click()
    await expect.element(menuTextField).toHaveValue('Olá!\n2 - Atendente\n*3 - Ver produtos*')
    await button('Usar o título').click()
    await expect.element(menuTextField).toHaveValue('Olá!\n2 - Falar com um atendente\n*3 - Ver produtos*')
    await expect.poll(() => button('Usar a lista').query()).toBeNull()
    await saveButton.click()
    await waitForSave()
    expect(lastSavedConfig(screen)).toMatchObject({
      menu: { menuPrincipal: 'Olá!\n2 - Falar com um atendente\n*3 - Ver produtos*' },
    })
  })

  it('follows the draft while it is edited, and removes all typed options at once', async () => {
    await abrirEditando()
    await menuTextField.fill(typed)
    await expect.element(page.getByText(/chama a opção 2 de “Atendente”/)).toBeVisible()
    await button('Usar a lista').click()
    await expect.element(menuTextField).toHaveValue('Olá!')
    await undoButton.click()
    await expect.element(menuTextField).toHaveValue(typed)
  })

  it('mends an option without an answer and one of a setor without people', async () => {
    const config = withMenu({
      opcoes: [
        { numero: '1', titulo: 'Preços', tipo: 'mensagem', resposta: '' },
        { numero: '2', titulo: 'Vendas', tipo: 'humano', resposta: '', setor: 'vendas' },
      ],
    })
    const screen = abrir({ config })
    const avisos = [{ caminho: 'menu.opcoes.1.setor', codigo: 'setorSemPessoas', mensagem: 'x' }]
    screen.api.on('GET /config', () => ok({ sucesso: true, config: screen.server.config, avisos }))
    await button('Trocar para o tipo Menu').click()
    await expect.element(optionKindField('1')).toHaveValue('menu')
    await expect.element(page.getByText('A opção 2 leva ao setor Vendas, que ninguém da equipe atende.')).toBeVisible()
    await button('Mandar para o Geral').click()
    await expect.element(optionSetorField('2')).toHaveValue('geral')
    await expect.poll(() => page.getByText(/ninguém da equipe atende/).query()).toBeNull()
  })
})

describe('Mensagens: editing', () => {
  it('restores the saved texts on Cancelar', async () => {
    const { api } = await abrirEditando()
    await menuTextField.fill('Outro texto')
    await optionTitleField('1').fill('Outro título')
    await button('Remover a opção 4').click()
    await cancelButton.click()
    await expect.element(editButton).toBeVisible()
    await expect.element(menuTextField).toHaveValue(PADRAO.menuPrincipal)
    await expect.element(page.getByRole('main').getByText('Falar com a assistente virtual').first()).toBeVisible()
    await editButton.click()
    await expect.poll(optionNumbers).toEqual(['1', '2', '3', '4', '0'])
    expect(api.calls.some(({ route }) => route === 'PUT /config')).toBe(false)
  })

  it('sends the whole configuration with merged menu and version, then returns to reading', async () => {
    const screen = await abrirEditando()
    const before = screen.server.config
    await menuTextField.fill('*Padaria*\nEscolha:')
    await optionTitleField('1').fill('Pergunte à IA')
    await openAutomaticMessages()
    await page.getByRole('textbox', { name: 'Despedida', exact: true }).fill('Até breve!')
    await page.getByLabelText(/Recomeçar depois de/).fill('90')
    await page.getByRole('switch', { name: /digitando/ }).click()
    await joinField.selectOptions('sempre')
    await page.getByRole('switch', { name: /botões/ }).click()
    await saveButton.click()
    await waitForSave()
    const [primeira, ...others] = before.menu.opcoes
    expect(lastSavedConfig(screen)).toEqual({
      ...before,
      menu: {
        ...before.menu,
        menuPrincipal: '*Padaria*\nEscolha:',
        opcoes: [{ ...primeira, titulo: 'Pergunte à IA' }, ...others],
        mensagens: { ...before.menu.mensagens, despedida: 'Até breve!' },
        expiraEmMinutos: 90,
        digitando: false,
        juntarMensagens: 'sempre',
        interativo: false,
      },
    })
    await expect.element(editButton).toBeVisible()
    await expect.element(menuTextField).toHaveAttribute('readonly')
    await expect.element(menuTextField).toHaveValue('*Padaria*\nEscolha:')
    await editButton.click()
    await optionTitleField('1').fill('De novo')
    await userEvent.keyboard('{Control>}s{/Control}')
    await waitForSave()
    expect(lastSavedConfig(screen)).toMatchObject({ versao: before.versao + 1 })
  })

  it('refuses an empty text', async () => {
    const { api } = await abrirEditando()
    await menuTextField.fill('  \n ')
    await saveButton.click()
    await expect.element(aviso('O menu principal não pode estar vazio')).toBeVisible()
    await expect.element(saveButton).toBeEnabled()
    expect(api.calls.some(({ route }) => route === 'PUT /config')).toBe(false)
  })

  it('does not remove the last option', async () => {
    const config = makeConfig()
    const [unica] = config.menu.opcoes
    if (unica === undefined) throw new Error('default menu without options')
    await abrirEditando({ config: { ...config, menu: { ...config.menu, opcoes: [unica] } } })
    await button('Remover a opção 1').click()
    await expect.element(aviso('Deve haver pelo menos uma opção no menu')).toBeVisible()
    await expect.poll(optionNumbers).toEqual(['1'])
  })

  it('adds an option with number, title, kind and reply', async () => {
    const screen = await abrirEditando()
    await button('Adicionar opção').click()
    await expect.element(optionNumberField('6')).toHaveValue('6')
    await expect.element(optionTitleField('6')).toHaveValue('Nova Opção')
    await expect.element(optionKindField('6')).toHaveValue('mensagem')
    await expect.element(optionReplyField('6')).toHaveValue(NOVA_OPCAO.resposta)
    await saveButton.click()
    await waitForSave()
    expect(lastSavedConfig(screen)).toMatchObject({
      menu: { opcoes: [...PADRAO.opcoes, { numero: '6', ...NOVA_OPCAO }] },
    })
  })

  it.for([
    [['2', '3', '4'], '5'],
    [['1', '2', '3', '4', '0'], '6'],
    [['1', '4', '05', '6'], '7'],
    [['10', '20'], '3'],
  ] as const)('gives a new option beside %j the number %s', async ([numbers, expected]) => {
    const config = makeConfig()
    const opcoes = numbers.map((numero) => ({ ...NOVA_OPCAO, numero }))
    const { api } = await abrirEditando({ config: { ...config, menu: { ...config.menu, opcoes } } })
    await button('Adicionar opção').click()
    await expect.poll(optionNumbers).toEqual([...numbers, expected])
    await saveButton.click()
    await waitForSave()
    expect(api.calls.some(({ route }) => route === 'PUT /config')).toBe(true)
  })

  it('requires unique numbers of 1 to 3 digits, beside the field', async () => {
    const { api } = await abrirEditando()
    await optionNumberField('4').fill('2')
    await expect.element(page.getByText('Número repetido').first()).toBeVisible()
    await expect.element(optionNumberField('2').first()).toHaveAccessibleDescription('Número repetido')
    await saveButton.click()
    await expect.element(aviso('O número da opção deve ser único')).toBeVisible()
    await optionNumberField('2').nth(1).fill('4a')
    await expect.element(optionNumberField('4a')).toHaveAccessibleDescription('Use de 1 a 3 dígitos')
    await saveButton.click()
    await expect.element(aviso('O número da opção deve ter de 1 a 3 dígitos')).toBeVisible()
    expect(api.calls.some(({ route }) => route === 'PUT /config')).toBe(false)
    await optionNumberField('4a').fill('404')
    await saveButton.click()
    await waitForSave()
  })

  it('sets the setor of a transfer and removes it with the transfer', async () => {
    const screen = await abrirEditando()
    await optionKindField('4').selectOptions('humano')
    await expect.element(optionSetorField('4')).toHaveValue('geral')
    await optionSetorField('2').selectOptions('vendas')
    await optionKindField('1').selectOptions('humano')
    await optionKindField('1').selectOptions('mensagem')
    await saveButton.click()
    await waitForSave()
    const [um, two, tres, quatro, zero] = PADRAO.opcoes
    expect(lastSavedConfig(screen)).toMatchObject({ versao: 3 })
    expect(screen.server.config.menu.opcoes).toEqual([
      { ...um, tipo: 'mensagem' },
      { ...two, setor: 'vendas' },
      tres,
      { ...quatro, tipo: 'humano', setor: 'geral' },
      zero,
    ])
  })

  it('sets the default reply of a loja option and keeps an existing one', async () => {
    const screen = await abrirEditando()
    await optionKindField('2').selectOptions('loja')
    await optionKindField('4').selectOptions('loja')
    await saveButton.click()
    await waitForSave()
    const [, two, , quatro] = PADRAO.opcoes
    const { setor: _, ...semSetor } = two ?? { setor: '' }
    expect(screen.server.config.menu.opcoes[1]).toEqual({ ...semSetor, tipo: 'loja', resposta: RESPOSTA_LOJA_PADRAO })
    expect(screen.server.config.menu.opcoes[3]).toEqual({ ...quatro, tipo: 'loja' })
  })

  it('moves options by the arrows and announces their position', async () => {
    const screen = await abrirEditando()
    await expect.element(button('Subir a opção 1')).toBeDisabled()
    await expect.element(button('Descer a opção 0')).toBeDisabled()
    await button('Descer a opção 1').click()
    await expect.poll(optionNumbers).toEqual(['2', '1', '3', '4', '0'])
    await expect
      .element(
        page.getByRole('status').filter({ hasText: 'Falar com a assistente virtual movida para a posição 2 de 5' }),
      )
      .toBeInTheDocument()
    await button('Subir a opção 0').click()
    await saveButton.click()
    await waitForSave()
    expect(screen.server.config.menu.opcoes.map((opcao) => opcao.numero)).toEqual(['2', '1', '3', '0', '4'])
  })
})

describe('Mensagens: writing', () => {
  it('inserts an emoji at the cursor and moves behind it', async () => {
    await abrirEditando()
    await expect.poll(() => page.getByRole('group', { name: 'Emojis' }).getByRole('button').elements()).toHaveLength(20)
    await menuTextField.fill('Olá!')
    const field = menuTextField.element()
    if (!(field instanceof HTMLTextAreaElement)) throw new Error('element is not a textarea')
    field.setSelectionRange(3, 3)
    await button('Inserir 🎉').click()
    await expect.element(menuTextField).toHaveValue('Olá🎉!')
    await expect.element(menuTextField).toHaveFocus()
    await userEvent.keyboard('?')
    await expect.element(menuTextField).toHaveValue('Olá🎉?!')
  })

  it.each([
    ['Negrito', '*'],
    ['Itálico', '_'],
    ['Riscado', '~'],
  ])('wraps the selection by %s in %s, or waits between two marks', async (nome, marca) => {
    await abrirEditando()
    await menuTextField.fill('Bom dia')
    const field = menuTextField.element()
    if (!(field instanceof HTMLTextAreaElement)) throw new Error('element is not a textarea')
    field.setSelectionRange(0, 3)
    await button(`${nome} em Texto do menu`).click()
    await expect.element(menuTextField).toHaveValue(`${marca}Bom${marca} dia`)
    await expect.poll(() => field.selectionStart).toBe(5)
    field.setSelectionRange(9, 9)
    await button(`${nome} em Texto do menu`).click()
    await expect.element(menuTextField).toHaveFocus()
    await userEvent.keyboard('!')
    await expect.element(menuTextField).toHaveValue(`${marca}Bom${marca} dia${marca}!${marca}`)
  })

  it('counts without limiting', async () => {
    const screen = await abrirEditando()
    await menuTextField.fill('a'.repeat(1001))
    await expect.element(page.getByText('1001/1000')).toBeVisible()
    await saveButton.click()
    await waitForSave()
    expect(screen.server.config.menu.menuPrincipal).toHaveLength(1001)
  })
})

describe('Mensagens: failed saves', () => {
  it('shows the reason and keeps the typed text', async () => {
    const { api } = await abrirEditando()
    api.on('PUT /config', () => refusal(403, 'limitePlano', 'Seu plano permite até 5 opções no menu.'))
    await menuTextField.fill('Meu menu')
    await saveButton.click()
    await expect.element(aviso('Erro ao salvar configurações: Seu plano permite até 5 opções no menu.')).toBeVisible()
    await expect.element(menuTextField).toHaveValue('Meu menu')
    await expect.element(saveButton).toBeEnabled()
  })

  it('offers another window’s version and does not overwrite it', async () => {
    const screen = await abrirEditando()
    await menuTextField.fill('O meu')
    const other = makeConfig('padaria-aurora', 4)
    screen.server.config = { ...other, menu: { ...other.menu, menuPrincipal: 'O da outra janela' } }
    await saveButton.click()
    const dialogo = page.getByRole('alertdialog', { name: 'A configuração mudou em outra janela' })
    await dialogo.getByRole('button', { name: 'Continuar editando' }).click()
    await expect.element(menuTextField).toHaveValue('O meu')
    await saveButton.click()
    await dialogo.getByRole('button', { name: 'Recarregar e perder minhas alterações' }).click()
    await expect.element(menuTextField).toHaveValue('O da outra janela')
    await editButton.click()
    await menuTextField.fill('Agora sim')
    await saveButton.click()
    await waitForSave()
    expect(screen.server.config).toMatchObject({ versao: 5, menu: { menuPrincipal: 'Agora sim' } })
  })

  it('saves once for repeated clicks', async () => {
    const screen = await abrirEditando()
    let release = (): void => undefined
    const wait = new Promise<void>((resolve) => (release = resolve))
    screen.api.on('PUT /config', async () => {
      await wait
      return ok({ sucesso: true, config: { ...screen.server.config, versao: 4 } })
    })
    await menuTextField.fill('Uma vez')
    await saveButton.click()
    await expect.element(button('Salvando…').first()).toBeDisabled()
    await userEvent.keyboard('{Control>}s{/Control}')
    await menuTextField.fill('Uma vez, e mais isto')
    release()
    await expect.element(aviso('Menu e mensagens salvos com sucesso!')).toBeVisible()
    expect(screen.api.calls.filter(({ route }) => route === 'PUT /config')).toHaveLength(1)
    // Text typed after the request stays, on top of the saved version.
    await expect.element(menuTextField).toHaveValue('Uma vez, e mais isto')
    await saveButton.click()
    await expect
      .poll(() => lastSavedConfig(screen))
      .toMatchObject({ versao: 4, menu: { menuPrincipal: 'Uma vez, e mais isto' } })
  })

  it('shows why loading failed and retries', async () => {
    const screen = abrir()
    screen.api.on('GET /config', () => refusal(403, 'semPermissao', 'Sem acesso agora'))
    await expect.element(page.getByRole('main').getByText('Sem acesso agora')).toBeVisible()
    screen.api.on('GET /config', () => ok({ sucesso: true, config: screen.server.config }))
    await button('Tentar de novo').click()
    await expect.element(menuTextField).toHaveValue(PADRAO.menuPrincipal)
  })
})
