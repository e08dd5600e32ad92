import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { refusal } from '#test/fake-api.ts'
import { makePng } from '#test/midia/files.ts'
import { openLojaTab, avisos, button, field, dialog, type LojaTestApp, cardNames } from './tab.ts'

let loja: LojaTestApp | null = null
async function abrirFormulario(gatilho = 'Novo produto'): Promise<LojaTestApp> {
  loja = openLojaTab()
  await button(gatilho).click()
  await expect.element(dialog).toBeVisible()
  return loja
}

afterEach(() => loja?.unmount())

const conversa = page.getByRole('log', { name: 'Mensagens' })
const choose = field('Imagem')
const picture = (): string | null => dialog.element().querySelector('form img')?.getAttribute('src') ?? null

function transferencia(...arquivos: readonly File[]): DataTransfer {
  const data = new DataTransfer()
  for (const arquivo of arquivos) data.items.add(arquivo)
  return data
}

function soltar(...arquivos: readonly File[]): void {
  const dataTransfer = transferencia(...arquivos)
  const fields = { bubbles: true, cancelable: true, dataTransfer }
  field('Nome').element().dispatchEvent(new DragEvent('dragover', fields))
  field('Nome').element().dispatchEvent(new DragEvent('drop', fields))
}

function colar(arquivo: File): void {
  const clipboardData = transferencia(arquivo)
  document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, clipboardData }))
}

describe('New produto', () => {
  it('previews the customer’s chat and appends the produto to the grid', async () => {
    const { forms } = await abrirFormulario()
    await expect.element(field('Nome')).toHaveFocus()
    await userEvent.keyboard('Broa de milho')
    await expect.element(conversa.getByText('4 - Broa de milho · R$ 0,00')).toHaveAttribute('data-destacada', 'true')
    await field('Descrição').fill('Macia e quentinha.')
    await field('Preço').click()
    await userEvent.keyboard('R$ 1.234,567x')
    await expect.element(field('Preço')).toHaveValue('1.234,56')
    await expect.element(conversa.getByText('💰 R$ 1.234,56')).toBeInTheDocument()
    await field('Link de compra (opcional)').fill('loja.exemplo/broa')
    await userEvent.upload(choose, await makePng('broa.png'))
    await expect.poll(picture).toMatch(/^blob:/)
    await expect.poll(() => conversa.element().querySelector('img')?.src).toBe(picture())
    await expectAccessible()
    await button('Criar produto').click()
    await expect.element(avisos.getByText('Produto criado com sucesso!')).toBeVisible()
    expect(forms).toEqual([
      {
        nome: 'Broa de milho',
        descricao: 'Macia e quentinha.',
        preco: '1234.56',
        linkCheckout: 'https://loja.exemplo/broa',
        ativo: 'true',
        imagem: 'broa.png',
      },
    ])
    await expect.poll(() => cardNames().at(-1)).toBe('Broa de milho')
    await expect.element(button('Novo produto')).toHaveFocus()
  })

  it('reports each missing field and focuses it', async () => {
    const { api } = await abrirFormulario()
    await field('Nome').fill('Broa')
    await button('Criar produto').click()
    await expect.element(page.getByText('Preencha todos os campos obrigatórios')).toBeVisible()
    await expect.element(field('Descrição')).toHaveFocus()
    await expect.element(field('Preço')).toHaveAccessibleDescription('Informe o preço. Pode ser 0.')
    await expectAccessible()
    // On a phone the buttons lie over the form; they must hide neither the field nor its error.
    await page.viewport(360, 640)
    await button('Criar produto').click()
    await expect.element(field('Descrição')).toHaveFocus()
    const said = page.getByText('Escreva a descrição.').element().getBoundingClientRect()
    expect(said.bottom).toBeLessThan(button('Cancelar').element().getBoundingClientRect().top)
    await page.viewport(1366, 800)
    await field('Descrição').fill('Macia.')
    await field('Preço').fill('100000000')
    await field('Link de compra (opcional)').fill('isto não é um link')
    await button('Criar produto').click()
    await expect.element(page.getByText('Preço alto demais')).toBeVisible()
    await expect.element(page.getByText('Informe um link válido')).toBeVisible()
    expect(api.calls.filter(({ route }) => route === 'POST /produtos')).toEqual([])
    api.on('POST /produtos', () => refusal(413, 'semEspaco', 'Sua loja não tem mais espaço.'))
    await field('Preço').fill('7.5')
    await field('Link de compra (opcional)').fill('')
    await expect.element(field('Preço')).toHaveValue('7,50')
    await userEvent.keyboard('{Control>}s{/Control}')
    await expect.element(page.getByText('Sua loja não tem mais espaço.')).toBeVisible()
    await expect.element(field('Nome')).toHaveValue('Broa')
  })
})

describe('Picture of a produto', () => {
  it('accepts a dropped, pasted or picked picture and refuses other files', async () => {
    await abrirFormulario()
    soltar(await makePng('a.png'))
    await expect.poll(picture).toMatch(/^blob:/)
    const first = picture()
    colar(await makePng('b.png'))
    await expect.poll(picture).not.toBe(first)
    const boa = picture()
    const refusals: readonly (readonly [File, string])[] = [
      [new File(['x'], 'nota.pdf', { type: 'application/pdf' }), 'Apenas arquivos de imagem são permitidos'],
      [new File([new Uint8Array(5_242_881)], 'grande.png', { type: 'image/png' }), 'Imagem deve ter no máximo 5MB'],
      [
        new File(['<svg/>'], 'desenho.svg', { type: 'image/svg+xml' }),
        'Este formato de imagem não é aceito. Use PNG, JPG ou WEBP.',
      ],
    ]
    for (const [arquivo, sentence] of refusals) {
      soltar(arquivo)
      await expect.element(choose).toHaveAccessibleDescription(new RegExp(sentence))
      expect(picture()).toBe(boa)
    }
    soltar(new File(['not a picture'], 'falsa.png', { type: 'image/png' }))
    await expect.element(page.getByText('Não foi possível abrir esta imagem. Escolha outra.')).toBeVisible()
    expect(picture()).toBeNull()
  })

  it('removes the picture of a produto', async () => {
    const { forms, loja: server, api } = await abrirFormulario('Editar Bolo de fubá cremoso')
    await userEvent.upload(choose, await makePng('bolo.png'))
    await button('Salvar').click()
    await expect.element(avisos.getByText('Produto atualizado com sucesso!')).toBeVisible()
    expect(server.produtos[1]?.imagemUrl).toBe('/api/imagens/bolo.png')
    await expect.poll(() => document.querySelector('li img')?.getAttribute('src') ?? 'initial').toMatch(/mini$|initial/)
    await button('Editar Bolo de fubá cremoso').click()
    await button('Tirar imagem').click()
    await expect.poll(picture).toBeNull()
    await button('Salvar').click()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(forms.at(-1)).toEqual({ imagemUrl: '' })
    expect(api.calls.some(({ route }) => route === 'POST /produtos')).toBe(false)
  })
})

it('sends only the changed fields of a produto, so that concurrent edits survive', async () => {
  const { forms, loja: server } = await abrirFormulario('Editar Bolo de fubá cremoso')
  server.produtos = server.produtos.map((um) => (um.id === 'p2' ? { ...um, ativo: false, preco: 40 } : um))
  await field('Descrição').fill('Serve 14.')
  await button('Salvar').click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(forms).toEqual([{ descricao: 'Serve 14.' }])
  expect(server.produtos[1]).toMatchObject({ descricao: 'Serve 14.', ativo: false, preco: 40 })
})

it('asks before unsaved text is lost, by Esc, by button and by URL', async () => {
  await abrirFormulario('Editar Bolo de fubá cremoso')
  await field('Nome').fill('Bolo de milho')
  const pergunta = page.getByRole('alertdialog', { name: 'Sair sem salvar?' })
  for (const leave of [
    () => userEvent.keyboard('{Escape}'),
    () => button('Fechar').click(),
    () => button('Cancelar').click(),
    // The open dialog blocks clicks, so this stands for any other navigation.
    () =>
      expect
        .poll(() => {
          document.querySelector<HTMLElement>('a[href="/dashboard?aba=ia"]')?.click()
          return pergunta.query()
        })
        .not.toBeNull(),
  ]) {
    await leave()
    await expect.element(pergunta).toBeVisible()
    await button('Continuar editando').click()
    await expect.element(pergunta).not.toBeInTheDocument()
    await expect.element(field('Nome')).toHaveValue('Bolo de milho')
  }
  await userEvent.keyboard('{Escape}')
  await button('Sair sem salvar').click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(cardNames()).toContain('Bolo de fubá cremoso')
  await button('Editar Bolo de fubá cremoso').click()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
})
