import '../dashboard/fake-socket.ts'
import { RESPOSTA_LOJA_PADRAO } from '@balcao/contract/constants'
import { menuPadrao } from '@balcao/contract/defaults'
import { NOVA_OPCAO } from '@balcao/contract/modelos'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ok, refusal } from '#test/fake-api.ts'
import { type PainelDeTeste, type Servidor, umaConfig } from '../dashboard/painel.tsx'
import {
  abrirAutomaticas,
  abrirMensagens,
  aviso,
  botao,
  cancelar,
  editar,
  enviado,
  esperarSalvo,
  numero,
  numeros,
  resposta,
  salvar,
  setor,
  texto,
  tipo,
  titulo,
} from './aba.ts'

let painel: PainelDeTeste | null = null
function abrir(inicial?: Partial<Servidor>): PainelDeTeste {
  painel = abrirMensagens(inicial)
  return painel
}
afterEach(() => painel?.desmontar())

const PADRAO = menuPadrao()

async function abrirEditando(inicial?: Partial<Servidor>): Promise<PainelDeTeste> {
  const teste = abrir(inicial)
  await editar.click()
  return teste
}

describe('Mensagens: reading', () => {
  it('shows text and options with kind, setor and reply, without controls', async () => {
    abrir()
    await expect.element(texto).toHaveValue(PADRAO.menuPrincipal)
    await expect.element(texto).toHaveAttribute('readonly')
    const linhas = page.getByRole('main').getByRole('listitem')
    expect(linhas.elements().map((linha) => linha.textContent.split(/(?<=\d)/)[0])).toEqual(
      PADRAO.opcoes.map((opcao) => `Opção ${opcao.numero}`),
    )
    await expect.element(linhas.nth(1)).toMatchTextContent('Falar com um atendenteAtendente · Geral')
    await expect.element(linhas.nth(3)).toMatchTextContent('Segunda a sexta, das 8h às 18h.')
    await expect.element(linhas.nth(4)).toMatchTextContent('automática “Despedida”')
    for (const nome of ['Salvar', 'Cancelar', 'Adicionar opção', 'Negrito em Texto do menu', 'Inserir 👋']) {
      await expect.poll(() => botao(nome).query()).toBeNull()
    }
    await expect.poll(() => page.getByRole('main').getByRole('combobox').query()).toBeNull()
  })

  it('warns of an AI option while the AI is off and links to its tab', async () => {
    abrir()
    await expect.element(page.getByText(/A opção 1 chama a IA, que está desligada/)).toBeVisible()
    await editar.click()
    await tipo('1').selectOptions('mensagem')
    await expect.poll(() => page.getByText(/que está desligada/).query()).toBeNull()
    await tipo('2').selectOptions('ia')
    await expect.element(page.getByText(/A opção 2 chama a IA/)).toBeVisible()
    await cancelar.click()
    await page.getByRole('link', { name: 'Ligar a IA' }).click()
    await expect.element(page.getByRole('switch', { name: /Assistente de IA/ })).toBeVisible()
  })

  it('does not warn while the AI is on', async () => {
    const config = umaConfig()
    abrir({ config: { ...config, ia: { ...config.ia, ativa: true } } })
    await expect.element(texto).toBeVisible()
    await expect.poll(() => page.getByText(/que está desligada/).query()).toBeNull()
  })

  it('keeps the automatic messages folded, and read-only when opened', async () => {
    abrir()
    await expect.element(texto).toBeVisible()
    await expect.poll(() => page.getByRole('textbox', { name: 'Boas-vindas' }).query()).toBeNull()
    await abrirAutomaticas()
    for (const rotulo of ['Boas-vindas', 'Opção inválida', 'Sem entender', 'Fora do período', 'Despedida']) {
      await expect.element(page.getByRole('textbox', { name: rotulo, exact: true })).toHaveAttribute('readonly')
    }
    await expect.element(page.getByLabelText(/Recomeçar depois de/)).toHaveAttribute('readonly')
    await expect.element(page.getByRole('switch', { name: /digitando/ })).toBeDisabled()
  })

  it('folds and unfolds each part', async () => {
    abrir()
    await expect.element(texto).toBeVisible()
    await page.getByRole('heading', { level: 2, name: 'Texto do menu principal' }).click()
    await expect.poll(() => texto.query()).toBeNull()
    await page.getByRole('heading', { level: 2, name: 'Opções do menu' }).click()
    await expect.poll(() => page.getByRole('main').getByRole('listitem').query()).toBeNull()
  })
})

describe('Mensagens: editing', () => {
  it('restores the saved texts on Cancelar', async () => {
    const { api } = await abrirEditando()
    await texto.fill('Outro texto')
    await titulo('1').fill('Outro título')
    await botao('Remover a opção 4').click()
    await cancelar.click()
    await expect.element(editar).toBeVisible()
    await expect.element(texto).toHaveValue(PADRAO.menuPrincipal)
    await expect.element(page.getByRole('main').getByText('Falar com a assistente virtual').first()).toBeVisible()
    await editar.click()
    await expect.poll(numeros).toEqual(['1', '2', '3', '4', '0'])
    expect(api.calls.some(({ route }) => route === 'PUT /config')).toBe(false)
  })

  it('sends the whole configuration with merged menu and version, then returns to reading', async () => {
    const teste = await abrirEditando()
    const antes = teste.servidor.config
    await texto.fill('*Padaria*\nEscolha:')
    await titulo('1').fill('Pergunte à IA')
    await abrirAutomaticas()
    await page.getByRole('textbox', { name: 'Despedida', exact: true }).fill('Até breve!')
    await page.getByLabelText(/Recomeçar depois de/).fill('90')
    await page.getByRole('switch', { name: /digitando/ }).click()
    await salvar.click()
    await esperarSalvo()
    const [primeira, ...outras] = antes.menu.opcoes
    expect(enviado(teste)).toEqual({
      ...antes,
      menu: {
        ...antes.menu,
        menuPrincipal: '*Padaria*\nEscolha:',
        opcoes: [{ ...primeira, titulo: 'Pergunte à IA' }, ...outras],
        mensagens: { ...antes.menu.mensagens, despedida: 'Até breve!' },
        expiraEmMinutos: 90,
        digitando: false,
      },
    })
    await expect.element(editar).toBeVisible()
    await expect.element(texto).toHaveAttribute('readonly')
    await expect.element(texto).toHaveValue('*Padaria*\nEscolha:')
    await editar.click()
    await titulo('1').fill('De novo')
    await userEvent.keyboard('{Control>}s{/Control}')
    await esperarSalvo()
    expect(enviado(teste)).toMatchObject({ versao: antes.versao + 1 })
  })

  it('refuses an empty text', async () => {
    const { api } = await abrirEditando()
    await texto.fill('  \n ')
    await salvar.click()
    await expect.element(aviso('O menu principal não pode estar vazio')).toBeVisible()
    await expect.element(salvar).toBeEnabled()
    expect(api.calls.some(({ route }) => route === 'PUT /config')).toBe(false)
  })

  it('does not remove the last option', async () => {
    const config = umaConfig()
    const [unica] = config.menu.opcoes
    if (unica === undefined) throw new Error('default menu without options')
    await abrirEditando({ config: { ...config, menu: { ...config.menu, opcoes: [unica] } } })
    await botao('Remover a opção 1').click()
    await expect.element(aviso('Deve haver pelo menos uma opção no menu')).toBeVisible()
    await expect.poll(numeros).toEqual(['1'])
  })

  it('adds an option with number, title, kind and reply', async () => {
    const teste = await abrirEditando()
    await botao('Adicionar opção').click()
    await expect.element(numero('6')).toHaveValue('6')
    await expect.element(titulo('6')).toHaveValue('Nova Opção')
    await expect.element(tipo('6')).toHaveValue('mensagem')
    await expect.element(resposta('6')).toHaveValue(NOVA_OPCAO.resposta)
    await salvar.click()
    await esperarSalvo()
    expect(enviado(teste)).toMatchObject({ menu: { opcoes: [...PADRAO.opcoes, { numero: '6', ...NOVA_OPCAO }] } })
  })

  it('requires unique numbers of 1 to 3 digits, beside the field', async () => {
    const { api } = await abrirEditando()
    await numero('4').fill('2')
    await expect.element(page.getByText('Número repetido').first()).toBeVisible()
    await expect.element(numero('2').first()).toHaveAccessibleDescription('Número repetido')
    await salvar.click()
    await expect.element(aviso('O número da opção deve ser único')).toBeVisible()
    await numero('2').nth(1).fill('4a')
    await expect.element(numero('4a')).toHaveAccessibleDescription('Use de 1 a 3 dígitos')
    await salvar.click()
    await expect.element(aviso('O número da opção deve ter de 1 a 3 dígitos')).toBeVisible()
    expect(api.calls.some(({ route }) => route === 'PUT /config')).toBe(false)
    await numero('4a').fill('404')
    await salvar.click()
    await esperarSalvo()
  })

  it('sets the setor of a transfer and removes it with the transfer', async () => {
    const teste = await abrirEditando()
    await tipo('4').selectOptions('humano')
    await expect.element(setor('4')).toHaveValue('geral')
    await setor('2').selectOptions('vendas')
    await tipo('1').selectOptions('humano')
    await tipo('1').selectOptions('mensagem')
    await salvar.click()
    await esperarSalvo()
    const [um, dois, tres, quatro, zero] = PADRAO.opcoes
    expect(enviado(teste)).toMatchObject({ versao: 3 })
    expect(teste.servidor.config.menu.opcoes).toEqual([
      { ...um, tipo: 'mensagem' },
      { ...dois, setor: 'vendas' },
      tres,
      { ...quatro, tipo: 'humano', setor: 'geral' },
      zero,
    ])
  })

  it('sets the default reply of a loja option and keeps an existing one', async () => {
    const teste = await abrirEditando()
    await tipo('2').selectOptions('loja')
    await tipo('4').selectOptions('loja')
    await salvar.click()
    await esperarSalvo()
    const [, dois, , quatro] = PADRAO.opcoes
    const { setor: _, ...semSetor } = dois ?? { setor: '' }
    expect(teste.servidor.config.menu.opcoes[1]).toEqual({ ...semSetor, tipo: 'loja', resposta: RESPOSTA_LOJA_PADRAO })
    expect(teste.servidor.config.menu.opcoes[3]).toEqual({ ...quatro, tipo: 'loja' })
  })

  it('moves options by the arrows and announces their position', async () => {
    const teste = await abrirEditando()
    await expect.element(botao('Subir a opção 1')).toBeDisabled()
    await expect.element(botao('Descer a opção 0')).toBeDisabled()
    await botao('Descer a opção 1').click()
    await expect.poll(numeros).toEqual(['2', '1', '3', '4', '0'])
    await expect
      .element(
        page.getByRole('status').filter({ hasText: 'Falar com a assistente virtual movida para a posição 2 de 5' }),
      )
      .toBeInTheDocument()
    await botao('Subir a opção 0').click()
    await salvar.click()
    await esperarSalvo()
    expect(teste.servidor.config.menu.opcoes.map((opcao) => opcao.numero)).toEqual(['2', '1', '3', '0', '4'])
  })
})

describe('Mensagens: writing', () => {
  it('inserts an emoji at the cursor and moves behind it', async () => {
    await abrirEditando()
    await expect.poll(() => page.getByRole('group', { name: 'Emojis' }).getByRole('button').elements()).toHaveLength(20)
    await texto.fill('Olá!')
    const campo = texto.element()
    if (!(campo instanceof HTMLTextAreaElement)) throw new Error('element is not a textarea')
    campo.setSelectionRange(3, 3)
    await botao('Inserir 🎉').click()
    await expect.element(texto).toHaveValue('Olá🎉!')
    await expect.element(texto).toHaveFocus()
    await userEvent.keyboard('?')
    await expect.element(texto).toHaveValue('Olá🎉?!')
  })

  it.each([
    ['Negrito', '*'],
    ['Itálico', '_'],
    ['Riscado', '~'],
  ])('wraps the selection by %s in %s, or waits between two marks', async (nome, marca) => {
    await abrirEditando()
    await texto.fill('Bom dia')
    const campo = texto.element()
    if (!(campo instanceof HTMLTextAreaElement)) throw new Error('element is not a textarea')
    campo.setSelectionRange(0, 3)
    await botao(`${nome} em Texto do menu`).click()
    await expect.element(texto).toHaveValue(`${marca}Bom${marca} dia`)
    await expect.poll(() => campo.selectionStart).toBe(5)
    campo.setSelectionRange(9, 9)
    await botao(`${nome} em Texto do menu`).click()
    await expect.element(texto).toHaveFocus()
    await userEvent.keyboard('!')
    await expect.element(texto).toHaveValue(`${marca}Bom${marca} dia${marca}!${marca}`)
  })

  it('counts without limiting', async () => {
    const teste = await abrirEditando()
    await texto.fill('a'.repeat(1001))
    await expect.element(page.getByText('1001/1000')).toBeVisible()
    await salvar.click()
    await esperarSalvo()
    expect(teste.servidor.config.menu.menuPrincipal).toHaveLength(1001)
  })
})

describe('Mensagens: failed saves', () => {
  it('shows the reason and keeps the typed text', async () => {
    const { api } = await abrirEditando()
    api.on('PUT /config', () => refusal(403, 'limitePlano', 'Seu plano permite até 5 opções no menu.'))
    await texto.fill('Meu menu')
    await salvar.click()
    await expect.element(aviso('Erro ao salvar configurações: Seu plano permite até 5 opções no menu.')).toBeVisible()
    await expect.element(texto).toHaveValue('Meu menu')
    await expect.element(salvar).toBeEnabled()
  })

  it('offers another window’s version and does not overwrite it', async () => {
    const teste = await abrirEditando()
    await texto.fill('O meu')
    const outra = umaConfig('padaria-aurora', 4)
    teste.servidor.config = { ...outra, menu: { ...outra.menu, menuPrincipal: 'O da outra janela' } }
    await salvar.click()
    const dialogo = page.getByRole('alertdialog', { name: 'A configuração mudou em outra janela' })
    await dialogo.getByRole('button', { name: 'Continuar editando' }).click()
    await expect.element(texto).toHaveValue('O meu')
    await salvar.click()
    await dialogo.getByRole('button', { name: 'Recarregar e perder minhas alterações' }).click()
    await expect.element(texto).toHaveValue('O da outra janela')
    await editar.click()
    await texto.fill('Agora sim')
    await salvar.click()
    await esperarSalvo()
    expect(teste.servidor.config).toMatchObject({ versao: 5, menu: { menuPrincipal: 'Agora sim' } })
  })

  it('saves once for repeated clicks', async () => {
    const teste = await abrirEditando()
    let soltar = (): void => undefined
    const espera = new Promise<void>((resolve) => (soltar = resolve))
    teste.api.on('PUT /config', async () => {
      await espera
      return ok({ sucesso: true, config: { ...teste.servidor.config, versao: 4 } })
    })
    await texto.fill('Uma vez')
    await salvar.click()
    await expect.element(botao('Salvando…').first()).toBeDisabled()
    await userEvent.keyboard('{Control>}s{/Control}')
    await texto.fill('Uma vez, e mais isto')
    soltar()
    await expect.element(aviso('Menu e mensagens salvos com sucesso!')).toBeVisible()
    expect(teste.api.calls.filter(({ route }) => route === 'PUT /config')).toHaveLength(1)
    // Text typed after the request stays, on top of the saved version.
    await expect.element(texto).toHaveValue('Uma vez, e mais isto')
    await salvar.click()
    await expect
      .poll(() => enviado(teste))
      .toMatchObject({ versao: 4, menu: { menuPrincipal: 'Uma vez, e mais isto' } })
  })

  it('shows why loading failed and retries', async () => {
    const teste = abrir()
    teste.api.on('GET /config', () => refusal(403, 'semPermissao', 'Sem acesso agora'))
    await expect.element(page.getByRole('main').getByText('Sem acesso agora')).toBeVisible()
    teste.api.on('GET /config', () => ok({ sucesso: true, config: teste.servidor.config }))
    await botao('Tentar de novo').click()
    await expect.element(texto).toHaveValue(PADRAO.menuPrincipal)
  })
})
