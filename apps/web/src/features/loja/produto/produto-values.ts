import { type Produto, isCheckoutLink } from '@balcao/contract/entities/produto'
import { formatPriceInput, parsePrice } from '#shared/form/price.ts'
import type { FormErrors } from '#shared/form/use-config-form.ts'
import { closeGroups, type GroupDraft, groupErrors, openGroups } from './grupos/group-draft.ts'
import type { ImageState } from './use-image.ts'

export interface ProdutoFormValues {
  readonly nome: string
  readonly descricao: string
  readonly preco: string
  readonly linkCheckout: string
  readonly ativo: boolean
  /** Empty: not counted. */
  readonly estoque: string
  readonly categoria: string
  /** Separated by commas. */
  readonly sinonimos: string
  /** Empty: sold now. */
  readonly pausadoAte: string
  readonly grupos: readonly GroupDraft[]
}

const PRICE_MAX = 99_999_999.99
const STOCK_MAX = 1_000_000
const SYNONYMS_MAX = 30
const SYNONYM_LENGTH_MAX = 60

function completeLink(typed: string): string {
  const link = typed.trim()
  return /^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(link) ? `https://${link}` : link
}

function checkPrice(written: string): string | undefined {
  const preco = parsePrice(written)
  if (preco === null) return 'Informe o preço. Pode ser 0.'
  return preco > PRICE_MAX ? 'Preço alto demais' : undefined
}

function synonymsOf(typed: string): string[] {
  return [...new Set(typed.split(',').map((one) => one.trim()))].filter((one) => one !== '')
}

function checkSynonyms(typed: string): string | undefined {
  const names = synonymsOf(typed)
  if (names.length > SYNONYMS_MAX) return `No máximo ${SYNONYMS_MAX} outros nomes`
  return names.some(({ length }) => length > SYNONYM_LENGTH_MAX)
    ? `Um outro nome tem no máximo ${SYNONYM_LENGTH_MAX} letras`
    : undefined
}

export function checkProduto(values: ProdutoFormValues): FormErrors {
  const { nome, descricao, preco, linkCheckout, estoque, sinonimos, grupos } = values
  const link = completeLink(linkCheckout)
  const missing = nome.trim() === '' || descricao.trim() === '' || parsePrice(preco) === null
  const errors: Readonly<Record<string, string | undefined>> = {
    geral: missing ? 'Preencha todos os campos obrigatórios' : undefined,
    nome: nome.trim() === '' ? 'Escreva o nome do produto.' : undefined,
    descricao: descricao.trim() === '' ? 'Escreva a descrição.' : undefined,
    preco: checkPrice(preco),
    linkCheckout: link === '' || isCheckoutLink(link) ? undefined : 'Informe um link válido',
    estoque: Number(estoque) > STOCK_MAX ? 'Estoque alto demais' : undefined,
    sinonimos: checkSynonyms(sinonimos),
    ...groupErrors(grupos),
  }
  return Object.fromEntries(
    Object.entries(errors).flatMap(([field, error]) => (error === undefined ? [] : [[field, error]])),
  )
}

const BLANK: ProdutoFormValues = {
  ...{ nome: '', descricao: '', preco: '', linkCheckout: '', ativo: true },
  ...{ estoque: '', categoria: '', sinonimos: '', pausadoAte: '', grupos: [] },
}

export function openProduto(produto: Produto | null): ProdutoFormValues {
  if (produto === null) return BLANK
  const {
    nome,
    descricao,
    preco,
    linkCheckout,
    ativo,
    estoque,
    categoria,
    sinonimos,
    pausadoAte = '',
    grupos,
  } = produto
  return {
    ...{ nome, descricao, linkCheckout, ativo, categoria, pausadoAte, preco: formatPriceInput(preco) },
    estoque: estoque === null ? '' : String(estoque),
    sinonimos: sinonimos.join(', '),
    grupos: openGroups(grupos),
  }
}

export interface ProdutoFormInput {
  readonly fields: ProdutoFormValues
  readonly initial: ProdutoFormValues
  readonly image: ImageState
}

/**
 * Sends only the changed fields of an existing product, so that changes by others are kept. A new one leaves out the
 * fields of orders that are empty.
 */
export function formDataOf({ fields, initial, image }: ProdutoFormInput, fresh: boolean): FormData {
  const form = new FormData()
  const put = (field: keyof ProdutoFormValues, value: string, always = fresh): void => {
    if (always || fields[field] !== initial[field]) form.set(field, value)
  }
  put('nome', fields.nome.trim())
  put('descricao', fields.descricao.trim())
  put('preco', String(parsePrice(fields.preco)))
  put('linkCheckout', completeLink(fields.linkCheckout))
  put('ativo', String(fields.ativo))
  put('estoque', fields.estoque, false)
  put('categoria', fields.categoria.trim(), false)
  put('sinonimos', JSON.stringify(synonymsOf(fields.sinonimos)), false)
  put('pausadoAte', fields.pausadoAte, false)
  put('grupos', JSON.stringify(closeGroups(fields.grupos)), false)
  // The file comes last, so that the server has all fields before it.
  if (image.arquivo !== null) form.set('imagem', image.arquivo)
  else if (image.tirar) form.set('imagemUrl', '')
  return form
}

/** The produto as customers will see it. */
export function previewOf(values: ProdutoFormValues, stored: Pick<Produto, 'id' | 'ordem' | 'imagemUrl'>): Produto {
  const { nome, descricao, preco, linkCheckout, ativo, estoque, categoria, sinonimos, pausadoAte, grupos } = values
  return {
    ...{ id: stored.id, ordem: stored.ordem, imagemUrl: stored.imagemUrl, ativo, categoria },
    nome: nome.trim() || 'Nome do produto',
    descricao: descricao.trim() || 'Descrição do produto',
    preco: parsePrice(preco) ?? 0,
    linkCheckout: completeLink(linkCheckout),
    estoque: estoque === '' ? null : Number(estoque),
    sinonimos: synonymsOf(sinonimos),
    ...(pausadoAte === '' ? {} : { pausadoAte }),
    grupos: closeGroups(grupos),
  }
}

export function tidyLink({ linkCheckout }: ProdutoFormValues): Partial<ProdutoFormValues> {
  return { linkCheckout: completeLink(linkCheckout) }
}

/** True if the produto uses a field of orders. */
export function hasSaleFields({ estoque, categoria, sinonimos, pausadoAte, grupos }: ProdutoFormValues): boolean {
  return estoque !== '' || categoria !== '' || sinonimos !== '' || pausadoAte !== '' || grupos.length > 0
}
