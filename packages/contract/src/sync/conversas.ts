import type { Conversa, Situacao } from '#entities/conversa.ts'
import type { ServerEvent, ServerEventPayloads } from '#realtime.ts'
import type { Mensagem } from '#entities/mensagem.ts'
import { summarizeMensagem } from '#text/mensagem-summary.ts'
import { applyMensagem } from './mensagens.ts'
import {
  forgetConversas,
  type KnownConversas,
  nextAfterEnd,
  putConversas,
  supersedes,
  updateConversa,
} from './known-conversas.ts'

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

function withSituacao(conversa: Conversa, situacao: Situacao): Conversa {
  if (!supersedes(situacao, conversa)) return conversa
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

/** Without a `situacao` the event counts by its arrival. */
function changeService<D extends { readonly situacao?: Situacao | undefined }>(
  conversa: Conversa,
  data: D,
  change: (conversa: Conversa, data: D) => Conversa,
): Conversa {
  return data.situacao === undefined ? change(conversa, data) : withSituacao(conversa, data.situacao)
}

type ContatoMudou = ServerEventPayloads['contatoMudou']['contato']

/** People changed name or etiquetas of the customer. */
function withContato(conversa: Conversa, contato: ContatoMudou): Conversa {
  const { nome, telefone, nomeUsuario, etiquetas } = contato
  const cliente = { ...conversa.cliente, telefone, ...(nomeUsuario === undefined ? {} : { nomeUsuario }) }
  return withName({ ...conversa, cliente, etiquetas }, nome || telefone || cliente.nome)
}

function withContatos(known: KnownConversas, contato: ContatoMudou): KnownConversas {
  const concerned = [...known.byId.values()].filter(({ contatoId }) => contatoId === contato.id)
  return concerned.reduce((now, { id }) => updateConversa(now, id, (conversa) => withContato(conversa, contato)), known)
}

const ENDED_KEPT = 1_000

/** Forgets an open conversa that ended. A copy that was read after the end stays. */
function forgetEnded(known: KnownConversas, id: string, revisao?: number): KnownConversas {
  const { byId } = known.byId.get(id)?.status === 'finalizada' ? known : forgetConversas(known, [id])
  if (revisao === undefined) return { ...known, byId }
  const others = [...known.ended].filter(([other]) => other !== id).slice(1 - ENDED_KEPT)
  return { byId, ended: new Map([...others, [id, revisao]]) }
}

const CHANGES = ['mensagemConversaHumana', 'conversaAssumida', 'conversaTransferida'] as const
type Change = Extract<ServerEvent, { evento: (typeof CHANGES)[number] }>

function isChange(received: ServerEvent): received is Change {
  return CHANGES.some((name) => name === received.evento)
}

function withChange(conversa: Conversa, { evento, dados }: Change): Conversa {
  switch (evento) {
    case 'mensagemConversaHumana':
      return withMensagem(conversa, dados)
    case 'conversaAssumida':
      return changeService(conversa, dados, asTaken)
    case 'conversaTransferida':
      return changeService(conversa, dados, asTransferred)
  }
}

/**
 * Returns what is known after an event. Events of other accounts or other subjects change nothing. An event of an
 * unknown conversa changes nothing either: the panel must read the conversa, see `concernsUnknown`.
 */
export function applyToConversas(known: KnownConversas, received: ServerEvent, contaId: string): KnownConversas {
  const { evento, dados } = received
  if (dados.userId !== contaId) return known
  if (isChange(received)) {
    return updateConversa(known, received.dados.conversaId, (conversa) => withChange(conversa, received))
  }
  if (evento === 'novaConversaHumana' || evento === 'conversaReaberta') return putConversas(known, [dados.conversa])
  if (evento === 'conversaFinalizada') return forgetEnded(known, dados.conversaId, dados.revisao)
  return evento === 'contatoMudou' ? withContatos(known, dados.contato) : known
}

const WITHOUT_READ: readonly ServerEvent['evento'][] = ['conversaFinalizada', 'clienteDigitando', 'notaConversa']

/** The id of the conversa that the panel must read before it can follow this event. Null: none. */
export function concernsUnknown(known: KnownConversas, { evento, dados }: ServerEvent): string | null {
  if (!('conversaId' in dados) || WITHOUT_READ.includes(evento) || known.byId.has(dados.conversaId)) return null
  const { situacao = {} } = 'situacao' in dados ? dados : {}
  return supersedes(situacao, nextAfterEnd(known, dados.conversaId)) ? dados.conversaId : null
}
