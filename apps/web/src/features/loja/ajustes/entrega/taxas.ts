import type { TaxaEntrega } from '@balcao/contract/entities/loja'
import { formatCentsInput, parseCents } from '#shared/form/price.ts'
import type { FormErrors } from '#shared/form/use-config-form.ts'

/** Fees of delivery as the form holds them. */

export interface TaxaDraft {
  readonly key: string
  readonly tipo: 'bairro' | 'cep'
  readonly bairro: string
  readonly cepDe: string
  readonly cepAte: string
  readonly taxa: string
}

export function newTaxa(tipo: TaxaDraft['tipo']): TaxaDraft {
  return { key: crypto.randomUUID(), tipo, bairro: '', cepDe: '', cepAte: '', taxa: '' }
}

/** Keeps the keys of the rows on screen. */
export function openTaxas(taxas: readonly TaxaEntrega[], previous: readonly TaxaDraft[]): readonly TaxaDraft[] {
  return taxas.map(({ bairro = '', cepDe = '', cepAte = '', centavos }, index) => ({
    key: previous[index]?.key ?? crypto.randomUUID(),
    tipo: bairro === '' ? 'cep' : 'bairro',
    ...{ bairro, cepDe: formatCep(cepDe), cepAte: formatCep(cepAte), taxa: formatCentsInput(centavos) },
  }))
}

export function closeTaxas(taxas: readonly TaxaDraft[]): TaxaEntrega[] {
  return taxas.map(({ bairro, cepDe, cepAte, taxa }) => ({
    ...(bairro.trim() === '' ? {} : { bairro: bairro.trim() }),
    ...(cepDe === '' ? {} : { cepDe: digitsOf(cepDe) }),
    ...(cepAte === '' ? {} : { cepAte: digitsOf(cepAte) }),
    centavos: parseCents(taxa) ?? 0,
  }))
}

const digitsOf = (typed: string): string => typed.replace(/\D/g, '')

/** `01310100` is shown as `01310-100`. */
export function formatCep(typed: string): string {
  const digits = digitsOf(typed).slice(0, 8)
  return digits.length <= 5 ? digits : `${digits.slice(0, 5)}-${digits.slice(5)}`
}

const CEP_LENGTH = 9

type RowError = readonly [field: string, error: string]

export function taxaErrors(taxas: readonly TaxaDraft[]): FormErrors {
  return Object.fromEntries(
    taxas.flatMap((taxa, index) =>
      [...placeErrors(taxa), ...priceErrors(taxa)].map(([field, error]) => [`entrega.taxas.${index}.${field}`, error]),
    ),
  )
}

function priceErrors({ taxa }: TaxaDraft): readonly RowError[] {
  return parseCents(taxa) === null ? [['centavos', 'Informe a taxa. Pode ser 0.']] : []
}

function placeErrors({ tipo, bairro, cepDe, cepAte }: TaxaDraft): readonly RowError[] {
  if (tipo === 'bairro') return bairro.trim() === '' ? [['bairro', 'Escreva o bairro.']] : []
  const [short] = (['cepDe', 'cepAte'] as const).filter((_, index) => [cepDe, cepAte][index]?.length !== CEP_LENGTH)
  if (short !== undefined) return [[short, 'O CEP tem oito números.']]
  return cepDe > cepAte ? [['cepAte', 'O último CEP vem antes do primeiro.']] : []
}
