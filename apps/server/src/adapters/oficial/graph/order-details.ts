import type { Pedido } from '@balcao/contract/entities/pedido'
import { parsePixChave, type PixChave } from '@balcao/contract/entities/pix-chave'
import type { PayableOrder } from '@balcao/connector/port'
import { cutTitle } from './interactive.ts'

const ITEM_NAME_MAX = 60
const KEY_TYPES: Readonly<Record<PixChave['tipo'], string>> = {
  ...{ cpf: 'CPF', cnpj: 'CNPJ', telefone: 'PHONE', email: 'EMAIL', aleatoria: 'EVP' },
}

/**
 * Meta's `order_details` of Brazil: the items, the sums and a button that copies the PIX code. Null: Meta would refuse it,
 * or code and order name different sums, so the code leaves as text.
 */
export function buildOrderDetails(code: string, { pedido, pix, total }: PayableOrder): object | null {
  const key = parsePixChave(pix.chave)
  const { numero, totalCentavos, txid } = pedido
  if (key === null || pix.valorCentavos !== totalCentavos || !isPayable(pedido)) return null
  const account = { merchant_name: pix.nome, key: key.chave, key_type: KEY_TYPES[key.tipo] }
  const parameters = {
    // Unique for each message and order. The same as in the code, for the shop's statement of account.
    reference_id: txid,
    // Meta asks for an address with `physical-goods`. Its examples of food use this type.
    type: 'digital-goods',
    payment_type: 'br',
    payment_settings: [{ type: 'pix_dynamic_code', pix_dynamic_code: { code, ...account } }],
    ...{ currency: 'BRL', total_amount: amount(totalCentavos) },
    order: orderOf(pedido),
  }
  return {
    type: 'interactive',
    interactive: {
      type: 'order_details',
      body: { text: `Pedido nº ${numero}: ${total}` },
      action: { name: 'review_and_pay', parameters },
    },
  }
}

/** Meta refuses sums that do not agree with each other. */
function isPayable({ itens, ...pedido }: Pedido): boolean {
  const { subtotalCentavos, entregaCentavos, descontoCentavos, totalCentavos } = pedido
  const agrees = subtotalCentavos + entregaCentavos - descontoCentavos === totalCentavos
  return itens.length > 0 && totalCentavos > 0 && agrees
}

function orderOf({ itens, subtotalCentavos, entregaCentavos, descontoCentavos }: Pedido): object {
  return {
    status: 'pending',
    items: itens.map(({ nome, opcoes, quantidade, precoCentavos }, index) => ({
      // Two items may hold the same produto with other options.
      retailer_id: String(index + 1),
      name: cutTitle([nome, ...opcoes.map((opcao) => opcao.nome)].join(' · '), ITEM_NAME_MAX),
      ...{ amount: amount(precoCentavos), quantity: quantidade },
    })),
    ...{ subtotal: amount(subtotalCentavos), tax: amount(0) },
    ...(entregaCentavos === 0 ? {} : { shipping: amount(entregaCentavos) }),
    ...(descontoCentavos === 0 ? {} : { discount: amount(descontoCentavos) }),
  }
}

/** Cents: Meta divides `value` by `offset`. */
function amount(centavos: number): object {
  return { value: centavos, offset: 100 }
}
