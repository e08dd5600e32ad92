import type { Conversa } from '#entities/conversa.ts'
import type { ServerEvent, ServerEventPayloads } from '#realtime.ts'
import { summarizeMensagem } from '#mensagem-summary.ts'
import { applyMensagem } from './mensagens.ts'

/** Latest activity first, then highest id, the same order as the server. ISO instants in UTC compare as text. */
function sortByActivity(conversas: readonly Conversa[]): Conversa[] {
  const key = ({ ultimaAtividade, id }: Conversa): string => `${ultimaAtividade} ${id}`
  return conversas.toSorted((a, b) => (key(a) === key(b) ? 0 : key(a) < key(b) ? 1 : -1))
}

function unreadAfter(
  conversa: Conversa,
  { tipo, origem }: ServerEventPayloads['mensagemConversaHumana']['mensagem'],
): number {
  if (tipo === 'recebida') return conversa.agenteMeta === true ? conversa.naoLidas : conversa.naoLidas + 1
  return origem === 'bot' || origem === 'ia' ? conversa.naoLidas : 0
}

/**
 * Customers can rename themselves. Each message carries the current name, which replaces the name on all their
 * messages. Without a name the phone is shown.
 */
function withName(conversa: Conversa, remetente: string): Conversa {
  const { cliente, mensagens } = conversa
  if (remetente === (cliente.nome === '' ? cliente.telefone : cliente.nome)) return conversa
  return {
    ...conversa,
    cliente: { ...cliente, nome: remetente === cliente.telefone ? '' : remetente },
    mensagens: mensagens.map((known) => (known.tipo === 'recebida' ? { ...known, remetente } : known)),
  }
}

/** Another party than Meta's agent serves the customer. */
function withoutAgent({ agenteMeta: _, ...conversa }: Conversa): Conversa {
  return conversa
}

const isOfPerson = ({ origem, agenteMeta }: ServerEventPayloads['mensagemConversaHumana']['mensagem']): boolean =>
  origem === 'operador' || (origem === 'celular' && agenteMeta !== true)

function withMensagem(conversa: Conversa, data: ServerEventPayloads['mensagemConversaHumana']): Conversa {
  const { mensagem, marcada = false } = data
  if (marcada && !conversa.mensagens.some(({ id }) => id === mensagem.id)) return conversa
  const { mensagens, nova } = applyMensagem(conversa.mensagens, mensagem)
  const last = { texto: summarizeMensagem(mensagem), timestamp: mensagem.timestamp }
  if (nova) {
    const naoLidas = unreadAfter(conversa, mensagem)
    const parsed = { ...conversa, mensagens, naoLidas, ultimaMensagem: last, ultimaAtividade: mensagem.timestamp }
    if (mensagem.tipo === 'recebida') return withName(parsed, mensagem.remetente)
    return isOfPerson(mensagem) ? withoutAgent(parsed) : parsed
  }
  const isLast = mensagens.at(-1)?.id === mensagem.id
  return isLast ? { ...conversa, mensagens, ultimaMensagem: last } : { ...conversa, mensagens }
}

function asTransferred({ operadorId: _id, operador: _nome, ...conversa }: Conversa, novoSetor: string): Conversa {
  return { ...withoutAgent(conversa), setor: novoSetor, status: 'aguardando' }
}

function updateInList(conversas: readonly Conversa[], id: string, update: (c: Conversa) => Conversa): Conversa[] {
  return conversas.map((conversa) => (conversa.id === id ? update(conversa) : conversa))
}

const LIST_EVENTS = [
  'novaConversaHumana',
  'mensagemConversaHumana',
  'conversaAssumida',
  'conversaTransferida',
  'conversaFinalizada',
] as const
type ListEvent = Extract<ServerEvent, { evento: (typeof LIST_EVENTS)[number] }>

function isListEvent(received: ServerEvent): received is ListEvent {
  return LIST_EVENTS.some((name) => name === received.evento)
}

/**
 * Returns the list of open conversas after an event. Events of other accounts or other subjects return the same
 * list. A message of an unknown conversa changes nothing; `holdsConversa` then returns false and the client
 * refetches.
 */
export function applyToConversas(
  conversas: readonly Conversa[],
  received: ServerEvent,
  contaId: string,
): readonly Conversa[] {
  if (received.dados.userId !== contaId || !isListEvent(received)) return conversas
  switch (received.evento) {
    case 'novaConversaHumana': {
      const { conversa } = received.dados
      return sortByActivity([conversa, ...conversas.filter((c) => c.id !== conversa.id)])
    }
    case 'mensagemConversaHumana': {
      const { dados } = received
      return sortByActivity(updateInList(conversas, dados.conversaId, (c) => withMensagem(c, dados)))
    }
    case 'conversaAssumida': {
      const { conversaId, operadorId, operador, naoLidas = 0 } = received.dados
      return updateInList(conversas, conversaId, (c) => ({
        ...withoutAgent(c),
        status: 'em_atendimento',
        operadorId,
        operador,
        naoLidas,
      }))
    }
    case 'conversaTransferida': {
      const { conversaId, novoSetor } = received.dados
      return updateInList(conversas, conversaId, (c) => asTransferred(c, novoSetor))
    }
    case 'conversaFinalizada':
      return conversas.filter((c) => c.id !== received.dados.conversaId)
  }
}

/** False if the event concerns a conversa that the list does not hold. The caller must then fetch the list again. */
export function holdsConversa(conversas: readonly Conversa[], received: ServerEvent): boolean {
  if (!('conversaId' in received.dados)) return true
  if (received.evento === 'conversaFinalizada' || received.evento === 'clienteDigitando') return true
  const { conversaId } = received.dados
  return conversas.some((conversa) => conversa.id === conversaId)
}
