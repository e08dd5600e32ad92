import { type MenuApi, MenuRefusal } from './api.ts'
import { type Order, moneyText } from './order.ts'

const TYPED_MS = 400

export interface Fee {
  /** Asks the server when the place changed. */
  readonly update: () => void
  readonly centavos: () => number
  readonly text: () => string
}

/** The fee of the typed place. Only the server has the table of the shop. */
export function createFee(order: Order, api: MenuApi, changed: () => void): Fee {
  let asked = ''
  let answer: { readonly centavos: number } | { readonly problem: string } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const isFree = (): boolean => {
    const { gratisAcimaCentavos: from } = order.cardapio.entrega
    return from !== null && order.subtotal >= from
  }
  const ask = async (key: string, place: Parameters<MenuApi['fee']>[0]): Promise<void> => {
    const result = await api.fee(place).catch((error: unknown) => ({
      problem: error instanceof MenuRefusal ? error.message : 'A taxa não foi calculada.',
    }))
    if (key !== asked) return
    answer = result
    changed()
  }
  return {
    update: () => {
      const { tipo, bairro, cep } = order.form
      const digits = cep.replaceAll(/\D/g, '')
      const place = { bairro: bairro.trim(), cep: digits.length === 8 ? digits : '' }
      const key = tipo !== 'entrega' || (place.bairro === '' && place.cep === '') ? '' : JSON.stringify(place)
      if (key === asked) return
      asked = key
      answer = null
      clearTimeout(timer)
      if (key !== '') timer = setTimeout(() => void ask(key, place), TYPED_MS)
    },
    centavos: () => {
      if (order.form.tipo !== 'entrega' || answer === null || 'problem' in answer) return 0
      return isFree() ? 0 : answer.centavos
    },
    text: () => {
      if (asked === '') return 'informe o bairro ou o CEP'
      if (answer === null) return 'calculando…'
      if ('problem' in answer) return answer.problem
      return isFree() || answer.centavos === 0 ? 'grátis' : moneyText(answer.centavos)
    },
  }
}
