import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { refusal } from '#test/fake-api.ts'
import { umaImagem } from '../midia/arquivos.ts'
import { abrirLoja, avisos, botao, campo, dialogo, type LojaDeTeste, nomes } from './loja.ts'

let loja: LojaDeTeste | null = null
async function abrirFormulario(gatilho = 'Novo produto'): Promise<LojaDeTeste> {
  loja = abrirLoja()
  await botao(gatilho).click()
  await expect.element(dialogo).toBeVisible()
  return loja
}

afterEach(() => loja?.desmontar())

const conversa = page.getByRole('log', { name: 'Mensagens' })
const escolher = campo('Imagem')
const figura = (): string | null => dialogo.element().querySelector('form img')?.getAttribute('src') ?? null

function transferencia(...arquivos: readonly File[]): DataTransfer {
  const dados = new DataTransfer()
  for (const arquivo of arquivos) dados.items.add(arquivo)
  return dados
}

function soltar(...arquivos: readonly File[]): void {
  const dataTransfer = transferencia(...arquivos)
  const campos = { bubbles: true, cancelable: true, dataTransfer }
  campo('Nome').element().dispatchEvent(new DragEvent('dragover', campos))
  campo('Nome').element().dispatchEvent(new DragEvent('drop', campos))
}

function colar(arquivo: File): void {
  const clipboardData = transferencia(arquivo)
  document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, clipboardData }))
}

describe('New produto', () => {
  it('previews the customer’s chat and appends the produto to the grid', async () => {
    const { formularios } = await abrirFormulario()
    await expect.element(campo('Nome')).toHaveFocus()
    await userEvent.keyboard('Broa de milho')
    await expect.element(conversa.getByText('4 - Broa de milho · R$ 0,00')).toHaveAttribute('data-destacada', 'true')
    await campo('Descrição').fill('Macia e quentinha.')
    await campo('Preço').click()
    await userEvent.keyboard('R$ 1.234,567x')
    await expect.element(campo('Preço')).toHaveValue('1.234,56')
    await expect.element(conversa.getByText('💰 R$ 1.234,56')).toBeInTheDocument()
    await campo('Link de compra (opcional)').fill('loja.exemplo/broa')
    await userEvent.upload(escolher, await umaImagem('broa.png'))
    await expect.poll(figura).toMatch(/^blob:/)
    await expect.poll(() => conversa.element().querySelector('img')?.src).toBe(figura())
    await expectAccessible()
    await botao('Criar produto').click()
    await expect.element(avisos.getByText('Produto criado com sucesso!')).toBeVisible()
    expect(formularios).toEqual([
      {
        nome: 'Broa de milho',
        descricao: 'Macia e quentinha.',
        preco: '1234.56',
        linkCheckout: 'https://loja.exemplo/broa',
        ativo: 'true',
        imagem: 'broa.png',
      },
    ])
    await expect.poll(() => nomes().at(-1)).toBe('Broa de milho')
    await expect.element(botao('Novo produto')).toHaveFocus()
  })

  it('reports each missing field and focuses it', async () => {
    const { api } = await abrirFormulario()
    await campo('Nome').fill('Broa')
    await botao('Criar produto').click()
    await expect.element(page.getByText('Preencha todos os campos obrigatórios')).toBeVisible()
    await expect.element(campo('Descrição')).toHaveFocus()
    await expect.element(campo('Preço')).toHaveAccessibleDescription('Informe o preço. Pode ser 0.')
    await expectAccessible()
    // On a phone the buttons lie over the form; they must hide neither the field nor its error.
    await page.viewport(360, 640)
    await botao('Criar produto').click()
    await expect.element(campo('Descrição')).toHaveFocus()
    const dito = page.getByText('Escreva a descrição.').element().getBoundingClientRect()
    expect(dito.bottom).toBeLessThan(botao('Cancelar').element().getBoundingClientRect().top)
    await page.viewport(1366, 800)
    await campo('Descrição').fill('Macia.')
    await campo('Preço').fill('100000000')
    await campo('Link de compra (opcional)').fill('isto não é um link')
    await botao('Criar produto').click()
    await expect.element(page.getByText('Preço alto demais')).toBeVisible()
    await expect.element(page.getByText('Informe um link válido')).toBeVisible()
    expect(api.calls.filter(({ route }) => route === 'POST /produtos')).toEqual([])
    api.on('POST /produtos', () => refusal(413, 'semEspaco', 'Sua loja não tem mais espaço.'))
    await campo('Preço').fill('7.5')
    await campo('Link de compra (opcional)').fill('')
    await expect.element(campo('Preço')).toHaveValue('7,50')
    await userEvent.keyboard('{Control>}s{/Control}')
    await expect.element(page.getByText('Sua loja não tem mais espaço.')).toBeVisible()
    await expect.element(campo('Nome')).toHaveValue('Broa')
  })

  it('starts from a sample while the catalogue is empty', async () => {
    loja = abrirLoja([])
    await expect.element(page.getByText('Cadastre o primeiro produto')).toBeVisible()
    await expectAccessible()
    await botao('Começar de um exemplo').click()
    await expect.element(campo('Nome')).toHaveValue('Bolo de fubá cremoso')
    await botao('Criar produto').click()
    await expect.poll(nomes).toEqual(['Bolo de fubá cremoso'])
  })
})

describe('Picture of a produto', () => {
  it('accepts a dropped, pasted or picked picture and refuses other files', async () => {
    await abrirFormulario()
    soltar(await umaImagem('a.png'))
    await expect.poll(figura).toMatch(/^blob:/)
    const primeira = figura()
    colar(await umaImagem('b.png'))
    await expect.poll(figura).not.toBe(primeira)
    const boa = figura()
    const recusas: readonly (readonly [File, string])[] = [
      [new File(['x'], 'nota.pdf', { type: 'application/pdf' }), 'Apenas arquivos de imagem são permitidos'],
      [new File([new Uint8Array(5_242_881)], 'grande.png', { type: 'image/png' }), 'Imagem deve ter no máximo 5MB'],
      [
        new File(['<svg/>'], 'desenho.svg', { type: 'image/svg+xml' }),
        'Este formato de imagem não é aceito. Use PNG, JPG ou WEBP.',
      ],
    ]
    for (const [arquivo, frase] of recusas) {
      soltar(arquivo)
      await expect.element(escolher).toHaveAccessibleDescription(new RegExp(frase))
      expect(figura()).toBe(boa)
    }
    soltar(new File(['not a picture'], 'falsa.png', { type: 'image/png' }))
    await expect.element(page.getByText('Não foi possível abrir esta imagem. Escolha outra.')).toBeVisible()
    expect(figura()).toBeNull()
  })

  it('removes the picture of a produto', async () => {
    const { formularios, loja: servidor, api } = await abrirFormulario('Editar Bolo de fubá cremoso')
    await userEvent.upload(escolher, await umaImagem('bolo.png'))
    await botao('Salvar').click()
    await expect.element(avisos.getByText('Produto atualizado com sucesso!')).toBeVisible()
    expect(servidor.produtos[1]?.imagemUrl).toBe('/api/imagens/bolo.png')
    await expect.poll(() => document.querySelector('li img')?.getAttribute('src') ?? 'initial').toMatch(/mini$|initial/)
    await botao('Editar Bolo de fubá cremoso').click()
    await botao('Tirar imagem').click()
    await expect.poll(figura).toBeNull()
    await botao('Salvar').click()
    await expect.element(dialogo).not.toBeInTheDocument()
    expect(formularios.at(-1)).toEqual({ imagemUrl: '' })
    expect(api.calls.some(({ route }) => route === 'POST /produtos')).toBe(false)
  })
})

it('sends only the changed fields of a produto, so that concurrent edits survive', async () => {
  const { formularios, loja: servidor } = await abrirFormulario('Editar Bolo de fubá cremoso')
  servidor.produtos = servidor.produtos.map((um) => (um.id === 'p2' ? { ...um, ativo: false, preco: 40 } : um))
  await campo('Descrição').fill('Serve 14.')
  await botao('Salvar').click()
  await expect.element(dialogo).not.toBeInTheDocument()
  expect(formularios).toEqual([{ descricao: 'Serve 14.' }])
  expect(servidor.produtos[1]).toMatchObject({ descricao: 'Serve 14.', ativo: false, preco: 40 })
})

it('asks before unsaved text is lost, by Esc, by button and by URL', async () => {
  await abrirFormulario('Editar Bolo de fubá cremoso')
  await campo('Nome').fill('Bolo de milho')
  const pergunta = page.getByRole('alertdialog', { name: 'Sair sem salvar?' })
  for (const sair of [
    () => userEvent.keyboard('{Escape}'),
    () => botao('Fechar').click(),
    () => botao('Cancelar').click(),
    // The open dialog blocks clicks, so this stands for any other navigation.
    () =>
      expect
        .poll(() => {
          document.querySelector<HTMLElement>('a[href="/dashboard?aba=ia"]')?.click()
          return pergunta.query()
        })
        .not.toBeNull(),
  ]) {
    await sair()
    await expect.element(pergunta).toBeVisible()
    await botao('Continuar editando').click()
    await expect.element(pergunta).not.toBeInTheDocument()
    await expect.element(campo('Nome')).toHaveValue('Bolo de milho')
  }
  await userEvent.keyboard('{Escape}')
  await botao('Sair sem salvar').click()
  await expect.element(dialogo).not.toBeInTheDocument()
  expect(nomes()).toContain('Bolo de fubá cremoso')
  await botao('Editar Bolo de fubá cremoso').click()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialogo).not.toBeInTheDocument()
})
