import type { Conversa, Situacao } from '#entities/conversa.ts'
import type { ServerEvent, ServerEventPayloads } from '#realtime.ts'
import type { Mensagem } from '#entities/mensagem.ts'
import { summarizeMensagem } from '#text/mensagem-summary.ts'
import { applyMensagem, mergeMensagem } from './mensagens.ts'

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
  const named = mensagens.every((known) => known.tipo === 'enviada' || known.remetente === remetente)
  if (named && remetente === (cliente.nome === '' ? cliente.telefone : cliente.nome)) return conversa
  return {
    ...conversa,
    cliente: { ...cliente, nome: remetente === cliente.telefone ? '' : remetente },
    mensagens: mensagens.map((known) => (known.tipo === 'recebida' ? { ...known, remetente } : known)),
  }
}

function withLastName(conversa: Conversa): Conversa {
  const last = conversa.mensagens.findLast(({ tipo }) => tipo === 'recebida')
  return last === undefined ? conversa : withName(conversa, last.remetente)
}

/** Another party than Meta's agent serves the customer. */
function withoutAgent({ agenteMeta: _, ...conversa }: Conversa): Conversa {
  return conversa
}

const isOfPerson = ({ origem, agenteMeta }: ServerEventPayloads['mensagemConversaHumana']['mensagem']): boolean =>
  origem === 'operador' || (origem === 'celular' && agenteMeta !== true)

/** False if the conversa holds a later change. A conversa without `revisao` holds none. */
const isNewer = ({ revisao = -1 }: Conversa, situacao: Situacao): boolean => situacao.revisao > revisao

function withSituacao(conversa: Conversa, situacao: Situacao): Conversa {
  if (!isNewer(conversa, situacao)) return conversa
  const { operadorId: _id, operador: _nome, agenteMeta: _agente, ...rest } = conversa
  const { aguardandoDesde = conversa.aguardandoDesde, ...changed } = situacao
  return { ...rest, ...changed, aguardandoDesde }
}

/** The new `ultimaMensagem` if the message with this id is the last one. */
function lastOf(mensagens: readonly Mensagem[], id: string): Pick<Conversa, 'ultimaMensagem'> {
  const last = mensagens.at(-1)
  if (last?.id !== id) return {}
  return { ultimaMensagem: { texto: summarizeMensagem(last), timestamp: last.timestamp } }
}

/** Names and texts follow the order of the messages; everything else follows `situacao`. */
function withOrderedMensagem(conversa: Conversa, mensagem: Mensagem, situacao: Situacao): Conversa {
  const { mensagens } = applyMensagem(conversa.mensagens, mensagem)
  return withLastName(withSituacao({ ...conversa, mensagens, ...lastOf(mensagens, mensagem.id) }, situacao))
}

function withMensagem(conversa: Conversa, data: ServerEventPayloads['mensagemConversaHumana']): Conversa {
  const { mensagem, marcada = false, situacao } = data
  if (marcada && !conversa.mensagens.some(({ id }) => id === mensagem.id)) return conversa
  if (situacao !== undefined) return withOrderedMensagem(conversa, mensagem, situacao)
  const { mensagens, nova } = applyMensagem(conversa.mensagens, mensagem)
  const last = { texto: summarizeMensagem(mensagem), timestamp: mensagem.timestamp }
  if (nova) {
    const naoLidas = unreadAfter(conversa, mensagem)
    const parsed = { ...conversa, mensagens, naoLidas, ultimaMensagem: last, ultimaAtividade: mensagem.timestamp }
    if (mensagem.tipo === 'recebida') return withName(parsed, mensagem.remetente)
    return isOfPerson(mensagem) ? withoutAgent(parsed) : parsed
  }
  return withLastName({ ...conversa, mensagens, ...lastOf(mensagens, mensagem.id) })
}

type Taken = Pick<ServerEventPayloads['conversaAssumida'], 'operadorId' | 'operador' | 'naoLidas'>

function asTaken(conversa: Conversa, { operadorId, operador, naoLidas = 0 }: Taken): Conversa {
  return { ...withoutAgent(conversa), status: 'em_atendimento', operadorId, operador, naoLidas }
}

type Transfer = Pick<ServerEventPayloads['conversaTransferida'], 'novoSetor' | 'operadorId' | 'operador'>

function asTransferred({ operadorId: _id, operador: _nome, ...conversa }: Conversa, transfer: Transfer): Conversa {
  const { novoSetor: setor, operadorId, operador } = transfer
  const moved = { ...withoutAgent(conversa), setor }
  if (operadorId === undefined || operador === undefined) return { ...moved, status: 'aguardando' }
  return { ...moved, status: 'em_atendimento', operadorId, operador }
}

function updateInList(conversas: readonly Conversa[], id: string, update: (c: Conversa) => Conversa): Conversa[] {
  return conversas.map((conversa) => (conversa.id === id ? update(conversa) : conversa))
}

function updateSituacao(conversas: readonly Conversa[], id: string, situacao: Situacao): Conversa[] {
  return sortByActivity(updateInList(conversas, id, (conversa) => withSituacao(conversa, situacao)))
}

/** Without a `situacao` the event counts by its arrival. */
function changeService<D extends { readonly conversaId: string; readonly situacao?: Situacao | undefined }>(
  conversas: readonly Conversa[],
  data: D,
  change: (conversa: Conversa, data: D) => Conversa,
): Conversa[] {
  const { conversaId, situacao } = data
  if (situacao !== undefined) return updateSituacao(conversas, conversaId, situacao)
  return updateInList(conversas, conversaId, (conversa) => change(conversa, data))
}

/** Another node may have published a delivery or a mark of a message before this read of the conversa arrived. */
function withHeldMensagens(conversa: Conversa, { mensagens: held }: Conversa): Conversa {
  const known = new Map(held.map((mensagem) => [mensagem.id, mensagem]))
  const mensagens = conversa.mensagens.map((mensagem) => mergeMensagem(known.get(mensagem.id) ?? mensagem, mensagem))
  return { ...conversa, mensagens }
}

function withConversa(conversas: readonly Conversa[], conversa: Conversa): readonly Conversa[] {
  const held = conversas.find(({ id }) => id === conversa.id)
  if (held === undefined) return sortByActivity([conversa, ...conversas])
  if ((held.revisao ?? -1) > (conversa.revisao ?? Infinity)) return conversas
  return sortByActivity([withHeldMensagens(conversa, held), ...conversas.filter((c) => c !== held)])
}

type ContatoMudou = ServerEventPayloads['contatoMudou']['contato']

function withContatoInList(conversas: readonly Conversa[], contato: ContatoMudou): readonly Conversa[] {
  if (conversas.every(({ contatoId }) => contatoId !== contato.id)) return conversas
  return conversas.map((conversa) => (conversa.contatoId === contato.id ? withContato(conversa, contato) : conversa))
}

/** People changed name or etiquetas of the customer. */
function withContato(conversa: Conversa, contato: ContatoMudou): Conversa {
  const { nome, telefone, nomeUsuario, etiquetas } = contato
  const cliente = { ...conversa.cliente, telefone, ...(nomeUsuario === undefined ? {} : { nomeUsuario }) }
  return withName({ ...conversa, cliente, etiquetas }, nome || telefone || cliente.nome)
}

const LIST_EVENTS = [
  'novaConversaHumana',
  'mensagemConversaHumana',
  'conversaAssumida',
  'conversaTransferida',
  'conversaReaberta',
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
  if (received.dados.userId !== contaId) return conversas
  if (received.evento === 'contatoMudou') return withContatoInList(conversas, received.dados.contato)
  return isListEvent(received) ? applyListEvent(conversas, received) : conversas
}

function applyListEvent(conversas: readonly Conversa[], received: ListEvent): readonly Conversa[] {
  switch (received.evento) {
    case 'novaConversaHumana':
    case 'conversaReaberta':
      return withConversa(conversas, received.dados.conversa)
    case 'mensagemConversaHumana': {
      const { dados } = received
      return sortByActivity(updateInList(conversas, dados.conversaId, (c) => withMensagem(c, dados)))
    }
    case 'conversaAssumida':
      return changeService(conversas, received.dados, asTaken)
    case 'conversaTransferida':
      return changeService(conversas, received.dados, asTransferred)
    case 'conversaFinalizada':
      return conversas.filter((c) => c.id !== received.dados.conversaId)
  }
}

/** False if the event concerns a conversa that the list does not hold. The caller must then fetch the list again. */
export function holdsConversa(conversas: readonly Conversa[], received: ServerEvent): boolean {
  if (!('conversaId' in received.dados)) return true
  if (received.evento === 'conversaFinalizada' || received.evento === 'clienteDigitando') return true
  if (received.evento === 'notaConversa') return true
  const { conversaId } = received.dados
  return conversas.some((conversa) => conversa.id === conversaId)
}
