import type { FORMAS_PAGAMENTO } from '@balcao/contract/constants'
import type { LojaConfig } from '@balcao/contract/entities/loja'
import { parsePixChave } from '@balcao/contract/entities/pix-chave'
import { formatCentsInput, parseCents } from '#shared/form/price.ts'
import type { FormErrors } from '#shared/form/use-config-form.ts'
import { closeTaxas, openTaxas, type TaxaDraft, taxaErrors } from './entrega/taxas.ts'

/** The settings of the shop as its form holds them. Sums are typed texts. */

export type PaymentWay = (typeof FORMAS_PAGAMENTO)[number]

export const REMINDERS = ['0', '30', '60', '120', 'outro'] as const
export type Reminder = (typeof REMINDERS)[number]
export const REMINDER_MAX = 1_380

export interface ShopSettingsValues {
  readonly pedidos: boolean
  readonly pedirFechado: boolean
  readonly lembrete: Reminder
  /** Minutes, for the choice `outro`. */
  readonly minutos: string
  readonly entregaAtiva: boolean
  readonly taxas: readonly TaxaDraft[]
  readonly minimo: string
  /** Empty: the delivery is never free. */
  readonly gratisAcima: string
  readonly retirada: boolean
  readonly pagamentos: readonly PaymentWay[]
  readonly pix: LojaConfig['pix']
  readonly mensagens: LojaConfig['mensagens']
  readonly pagina: LojaConfig['pagina']
  readonly impressora: LojaConfig['impressora']
}

export function openShopSettings(loja: LojaConfig, previous?: ShopSettingsValues): ShopSettingsValues {
  const { entrega, lembreteMinutos, ...rest } = loja
  const minutos = String(lembreteMinutos)
  const lembrete = REMINDERS.find((one) => one === minutos) ?? 'outro'
  return {
    ...rest,
    ...{ lembrete, minutos: lembrete === 'outro' ? minutos : '' },
    entregaAtiva: entrega.ativa,
    taxas: openTaxas(entrega.taxas, previous?.taxas ?? []),
    minimo: entrega.minimoCentavos === 0 ? '' : formatCentsInput(entrega.minimoCentavos),
    gratisAcima: entrega.gratisAcimaCentavos === null ? '' : formatCentsInput(entrega.gratisAcimaCentavos),
  }
}

/** Fields that the form does not have stay as stored. */
export function closeShopSettings(stored: LojaConfig, values: ShopSettingsValues): LojaConfig {
  const { entregaAtiva, taxas, minimo, gratisAcima, lembrete, minutos, ...rest } = values
  return {
    ...stored,
    ...rest,
    pagamentos: [...values.pagamentos],
    lembreteMinutos: Number(lembrete === 'outro' ? minutos : lembrete),
    entrega: {
      ativa: entregaAtiva,
      taxas: closeTaxas(taxas),
      minimoCentavos: parseCents(minimo) ?? 0,
      gratisAcimaCentavos: parseCents(gratisAcima),
    },
  }
}

/** By the path of each field below `loja`, as the server names it. */
export function shopSettingsErrors({ lembrete, minutos, taxas, pix }: ShopSettingsValues): FormErrors {
  const minutes = Number(minutos)
  const wrongTime = lembrete === 'outro' && (minutes < 1 || minutes > REMINDER_MAX)
  return {
    ...(wrongTime ? { lembreteMinutos: `Escolha de 1 a ${REMINDER_MAX} minutos.` } : {}),
    ...taxaErrors(taxas),
    ...pixErrors(pix),
  }
}

export function pixErrors({ chave }: LojaConfig['pix']): FormErrors {
  const valid = chave.trim() === '' || parsePixChave(chave) !== null
  return valid ? {} : { 'pix.chave': 'Esta chave PIX não existe. Confira os dígitos.' }
}
