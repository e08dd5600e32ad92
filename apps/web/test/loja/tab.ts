import type { Produto } from '@balcao/contract/entities/produto'
import { page, userEvent } from 'vitest/browser'
import { type FakeRequest, ok, refusal } from '#test/fake-api.ts'
import { openPanel, type PanelTestApp, type PanelServer } from '#test/dashboard/panel.tsx'

export function makeProduto(fields: Partial<Produto> = {}): Produto {
  return {
    id: 'p1',
    nome: 'Pão de queijo (dúzia)',
    descricao: 'Assado na hora.',
    preco: 18,
    linkCheckout: '',
    ativo: true,
    ordem: 0,
    imagemUrl: null,
    ...{ estoque: null, sinonimos: [], categoria: '', grupos: [] },
    ...fields,
  }
}

export const CATALOGUE: readonly Produto[] = [
  makeProduto(),
  makeProduto({ id: 'p2', nome: 'Bolo de fubá cremoso', descricao: 'Serve 12.', preco: 32, ordem: 1 }),
  makeProduto({ id: 'p3', nome: 'Café coado 300 ml', descricao: 'Torra média.', preco: 7.5, ordem: 2 }),
  makeProduto({
    id: 'p4',
    nome: 'Cesta de café da manhã',
    descricao: 'Para dois.',
    preco: 119.9,
    ordem: 3,
    ativo: false,
  }),
]

export interface LojaTestApp extends PanelTestApp {
  readonly loja: { produtos: Produto[] }
  /** The submitted forms, oldest first: fields as text, a file by its name. */
  readonly forms: Record<string, string>[]
}

function readForm({ body }: FakeRequest): Record<string, string> {
  if (!(body instanceof FormData)) throw new Error('request body is not a form')
  return Object.fromEntries([...body].map(([nome, value]) => [nome, value instanceof File ? value.name : value]))
}

function applyForm(produto: Produto, fields: Record<string, string>): Produto {
  const { preco, ordem, imagem, imagemUrl, ...texts } = fields
  return {
    ...produto,
    ...texts,
    preco: preco === undefined ? produto.preco : Number(preco),
    ordem: ordem === undefined ? produto.ordem : Number(ordem),
    imagemUrl: imagem === undefined ? (imagemUrl === undefined ? produto.imagemUrl : null) : `/api/imagens/${imagem}`,
    ...saleFieldsOf(produto, fields),
  }
}

function saleFieldsOf(produto: Produto, { ativo, estoque, sinonimos, grupos, pausadoAte }: Record<string, string>) {
  return {
    ativo: ativo === undefined ? produto.ativo : ativo === 'true',
    estoque: estoque === undefined ? produto.estoque : estoque === '' ? null : Number(estoque),
    sinonimos: sinonimos === undefined ? produto.sinonimos : JSON.parse(sinonimos),
    grupos: grupos === undefined ? produto.grupos : JSON.parse(grupos),
    pausadoAte: pausadoAte === '' ? undefined : (pausadoAte ?? produto.pausadoAte),
  }
}

export function openLojaTab(produtos: readonly Produto[] = CATALOGUE, initial: Partial<PanelServer> = {}): LojaTestApp {
  const painel = openPanel('/dashboard?aba=loja', initial)
  const loja = { produtos: [...produtos] }
  const formularios: Record<string, string>[] = []
  const { api } = painel
  api.on('GET /produtos', () => ok({ produtos: loja.produtos }))
  api.on('POST /produtos', (request) => {
    const campos = readForm(request)
    formularios.push(campos)
    const ordem = loja.produtos.length
    const produto = applyForm(makeProduto({ id: `novo-${ordem}`, ordem }), campos)
    loja.produtos.push(produto)
    return ok({ produto })
  })
  for (const { id } of produtos) {
    api.on(`PUT /produtos/${id}`, (request) => {
      const campos = readForm(request)
      formularios.push(campos)
      loja.produtos = loja.produtos.map((um) => (um.id === id ? applyForm(um, campos) : um))
      return ok({ produto: loja.produtos.find((um) => um.id === id) })
    })
    api.on(`DELETE /produtos/${id}`, () => {
      loja.produtos = loja.produtos.filter((um) => um.id !== id).map((um, ordem) => ({ ...um, ordem }))
      return ok({ sucesso: true })
    })
  }
  api.on('PUT /produtos/ordem', ({ body }) => {
    if (typeof body !== 'object' || body === null || !('produtos' in body) || !Array.isArray(body.produtos))
      return refusal(400, 'dadosInvalidos', 'x')
    const places = new Map(body.produtos.map(({ id, ordem }: Produto) => [id, ordem]))
    loja.produtos = loja.produtos
      .map((um) => ({ ...um, ordem: places.get(um.id) ?? um.ordem }))
      .toSorted((a, b) => a.ordem - b.ordem)
    return ok({ produtos: loja.produtos })
  })
  return { ...painel, loja, forms: formularios }
}

export const button = (name: string | RegExp) => page.getByRole('button', { name: name, exact: true })
export const field = (name: string) => page.getByLabelText(name, { exact: true })
export const avisos = page.getByRole('region', { name: 'Avisos' })
export const UNDO_KEYS = '{Control>}z{/Control}'

/** Opens the Central de avisos, which keeps every notice longer than the screen. */
export async function openAvisosCenter() {
  const sino = page.getByRole('button', { name: /^Central de avisos/ }).element()
  if (!(sino instanceof HTMLElement)) throw new Error('button of the Central de avisos not found')
  // By keyboard, because a notice may cover the button.
  sino.focus()
  await userEvent.keyboard('{Enter}')
  return page.getByRole('region', { name: 'Central de avisos' })
}

export const dialog = page.getByRole('dialog')
export const switchOf = (name: string) =>
  page.getByRole('switch', { name: new RegExp(`${name.replace(/[()]/g, '.')}$`) })

export function cardNames(): string[] {
  return page
    .getByRole('heading', { level: 3 })
    .elements()
    .map((title) => title.textContent.replace(/^Editar /, ''))
}
