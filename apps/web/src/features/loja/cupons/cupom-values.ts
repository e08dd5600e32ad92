import type { Cupom } from '@balcao/contract/entities/cupom'
import { instantOf } from '#shared/form/local-time.ts'
import { formatCentsInput, formatMoney, parseCents } from '#shared/form/price.ts'
import type { FormErrors } from '#shared/form/use-config-form.ts'
import { formatDate, formatIsoDate, formatNumber } from '#shared/format.ts'
import type { WrittenCupom } from './use-cupons.ts'

/** A coupon as its form holds it. Empty numbers are without limit. */
export interface CupomValues {
  readonly codigo: string
  readonly tipo: Cupom['tipo']
  /** Percent. */
  readonly percentual: string
  /** In reais, as typed. */
  readonly valor: string
  readonly minimo: string
  /** Last day, `AAAA-MM-DD`. */
  readonly ate: string
  readonly usos: string
  readonly porCliente: string
  readonly ativo: boolean
}

const BLANK: CupomValues = {
  ...{ codigo: '', tipo: 'percentual', percentual: '10', valor: '', minimo: '' },
  ...{ ate: '', usos: '', porCliente: '1', ativo: true },
}

export function openCupom(cupom: Cupom | null): CupomValues {
  if (cupom === null) return BLANK
  const { codigo, tipo, valor, minimoCentavos, validoAte, usos, porCliente, ativo } = cupom
  return {
    ...{ codigo, tipo, ativo },
    percentual: tipo === 'percentual' ? String(valor) : '',
    valor: tipo === 'valor' ? formatCentsInput(valor) : '',
    minimo: minimoCentavos === 0 ? '' : formatCentsInput(minimoCentavos),
    ate: validoAte === undefined ? '' : formatIsoDate(validoAte),
    ...{ usos: usos === null ? '' : String(usos), porCliente: porCliente === null ? '' : String(porCliente) },
  }
}

const SECOND_MS = 1_000

export function closeCupom(values: CupomValues): WrittenCupom {
  const { codigo, tipo, minimo, ate, usos, porCliente, ativo } = values
  return {
    ...{ codigo, tipo, ativo },
    valor: valueOf(values) ?? 0,
    minimoCentavos: parseCents(minimo) ?? 0,
    // The last second of the day.
    validoAte: ate === '' ? null : new Date(instantOf(`${ate}T23:59`) + 59 * SECOND_MS).toISOString(),
    usos: usos === '' ? null : Number(usos),
    porCliente: porCliente === '' ? null : Number(porCliente),
  }
}

/** Percent or cents. Null when nothing was typed. */
function valueOf({ tipo, percentual, valor }: CupomValues): number | null {
  switch (tipo) {
    case 'percentual':
      return percentual === '' ? null : Number(percentual)
    case 'valor':
      return parseCents(valor)
    case 'entrega':
      return 0
  }
}

export function cupomErrors(values: CupomValues): FormErrors {
  const { codigo, tipo, usos, porCliente } = values
  const valor = valueOf(values)
  const wrongPercent = tipo === 'percentual' && (valor === null || valor < 1 || valor > 100)
  return {
    ...(/^[A-Z0-9]{3,20}$/.test(codigo) ? {} : { codigo: 'Use de 3 a 20 letras sem acento ou números.' }),
    ...(wrongPercent ? { valor: 'Informe de 1 a 100.' } : {}),
    ...(tipo === 'valor' && (valor ?? 0) === 0 ? { valor: 'Informe o desconto.' } : {}),
    ...(usos === '0' ? { usos: 'Informe 1 ou mais, ou deixe em branco.' } : {}),
    ...(porCliente === '0' ? { porCliente: 'Informe 1 ou mais, ou deixe em branco.' } : {}),
  }
}

export function discountText({ tipo, valor }: Pick<Cupom, 'tipo' | 'valor'>): string {
  switch (tipo) {
    case 'percentual':
      return `${valor}% de desconto`
    case 'valor':
      return `${formatMoney(valor / 100)} de desconto`
    case 'entrega':
      return 'Entrega grátis'
  }
}

/** The conditions of a coupon, such as `a partir de R$ 50,00 · até 31/12/2026`. */
export function conditionsText({ minimoCentavos, validoAte, porCliente }: Cupom): string {
  return [
    ...(minimoCentavos === 0 ? [] : [`a partir de ${formatMoney(minimoCentavos / 100)}`]),
    ...(validoAte === undefined ? [] : [`até ${formatDate(validoAte)}`]),
    ...(porCliente === null ? [] : [porCliente === 1 ? 'uma vez por cliente' : `${porCliente} vezes por cliente`]),
  ].join(' · ')
}

export function usesText(usos: number | null, usados: number): string {
  if (usos === null) return usados === 1 ? 'Usado 1 vez' : `Usado ${formatNumber(usados)} vezes`
  const left = Math.max(0, usos - usados)
  if (left === 0) return 'Esgotado'
  return left === 1 ? 'Resta 1 uso' : `Restam ${formatNumber(left)} usos`
}
