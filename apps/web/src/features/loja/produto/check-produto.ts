import { isCheckoutLink } from '@balcao/contract/entities/produto'
import type { FormErrors } from '#shared/form/use-config-form.ts'
import { parsePrice } from '#features/loja/price.ts'

/** Raw form texts. */
export interface ProdutoFormValues {
  readonly nome: string
  readonly descricao: string
  readonly preco: string
  readonly linkCheckout: string
  readonly ativo: boolean
}

const PRICE_MAX = 99_999_999.99

/** Adds `https://` to an address like `www.loja.com.br/bolo`. */
export function completeLink(typed: string): string {
  const link = typed.trim()
  return /^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(link) ? `https://${link}` : link
}

function checkPrice(written: string): string | undefined {
  const preco = parsePrice(written)
  if (preco === null) return 'Informe o preço. Pode ser 0.'
  return preco > PRICE_MAX ? 'Preço alto demais' : undefined
}

export function checkProduto({ nome, descricao, preco, linkCheckout }: ProdutoFormValues): FormErrors {
  const link = completeLink(linkCheckout)
  const missing = nome.trim() === '' || descricao.trim() === '' || parsePrice(preco) === null
  const errors: Readonly<Record<string, string | undefined>> = {
    geral: missing ? 'Preencha todos os campos obrigatórios' : undefined,
    nome: nome.trim() === '' ? 'Escreva o nome do produto.' : undefined,
    descricao: descricao.trim() === '' ? 'Escreva a descrição.' : undefined,
    preco: checkPrice(preco),
    linkCheckout: link === '' || isCheckoutLink(link) ? undefined : 'Informe um link válido',
  }
  return Object.fromEntries(
    Object.entries(errors).flatMap(([field, error]) => (error === undefined ? [] : [[field, error]])),
  )
}
