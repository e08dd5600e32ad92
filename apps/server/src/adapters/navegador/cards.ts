import type { WebMessage } from './shapes.ts'

const NOT_SHOWN_TEXT = 'Mensagem que não aparece aqui. Abra o WhatsApp no celular para ver.'
/** Types written by a person. Other unread types are notices, keys, calls and votes. */
const WRITTEN_TYPES: ReadonlySet<string> = new Set([
  ...(['order', 'payment', 'product', 'groups_v4_invite', 'list', 'interactive', 'native_flow', 'hsm'] as const),
  ...(['poll_creation', 'scheduled_event_creation', 'event_creation', 'oversized', 'unknown'] as const),
])
const CARD_TITLES: ReadonlyMap<string, string> = new Map([
  ['order', 'Pedido pelo catálogo do WhatsApp'],
  ['payment', 'Pagamento pelo WhatsApp'],
  ['product', 'Produto do catálogo'],
  ['groups_v4_invite', 'Convite para um grupo'],
  ['poll_creation', 'Enquete'],
])

/** The text of a card; `soNoCelular` when it has no text here. Null when the message is no card. */
export function parseWebCard(mensagem: WebMessage): { readonly texto: string; readonly soNoCelular: boolean } | null {
  const { type, body, title, description, pollName, pollOptions } = mensagem
  if (!WRITTEN_TYPES.has(type)) return null
  const opcoes = (pollOptions ?? []).map(({ name }) => `• ${name}`)
  const lines = [CARD_TITLES.get(type), pollName, ...opcoes, title, description, body]
  const texto = [...new Set(lines.filter((line) => typeof line === 'string' && line !== ''))].join('\n')
  return texto === '' ? { texto: NOT_SHOWN_TEXT, soNoCelular: true } : { texto, soNoCelular: false }
}
