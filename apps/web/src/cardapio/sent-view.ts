import type { CarrinhoAceito } from '@balcao/contract/entities/cardapio'
import { create } from '#chat/dom.ts'
import { moneyText } from './order.ts'
import { button } from './parts.ts'

/** The order is stored. The customer takes it to the chat. */
export function sentView({ codigo, totalCentavos, whatsapp, noChat }: CarrinhoAceito): Node[] {
  const total = create('p', {}, 'Total: ', create('strong', {}, moneyText(totalCentavos)))
  if (noChat) {
    return [
      create('p', { role: 'status' }, 'O resumo já está na sua conversa. Responda “confirmar” por lá.'),
      total,
      ...(whatsapp === null ? [] : [create('a', { class: 'forte', href: whatsapp }, 'Voltar à conversa')]),
    ]
  }
  const copied = create('span', { class: 'fraco', role: 'status' })
  const text = `Pedido do cardápio: ${codigo}`
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      copied.textContent = 'Copiado.'
    } catch {
      copied.textContent = `Escreva na conversa: ${text}`
    }
  }
  return [
    create('p', { role: 'status' }, 'Falta um passo: envie este código à loja pelo WhatsApp.'),
    create('p', { class: 'codigo' }, codigo),
    total,
    create(
      'p',
      { class: 'fraco' },
      'Na conversa chega o resumo. O pedido vale quando você responde “confirmar”. O código vale 24 horas.',
    ),
    create(
      'div',
      { class: 'rodape' },
      button('Copiar', { class: 'leve' }, () => void copy()),
      copied,
      ...(whatsapp === null ? [] : [create('a', { class: 'forte', href: whatsapp }, 'Enviar pelo WhatsApp')]),
    ),
  ]
}
