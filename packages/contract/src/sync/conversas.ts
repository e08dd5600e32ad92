import type { Conversa } from '#entities/conversa.ts'
import type { Mensagem } from '#entities/mensagem.ts'
import type { ServerEvent, ServerEventPayloads } from '#realtime.ts'
import { summarizeMensagem } from '#text/mensagem-summary.ts'
import { applyMensagem } from './mensagens.ts'
import {
  forgetConversas,
  type KnownConversas,
  nextAfterEnd,
  putConversas,
  supersedes,
  updateContato,
  updateConversa,
} from './known-conversas.ts'

const CHANGES = ['mensagemConversaHumana', 'conversaAssumida', 'conversaTransferida'] as const
type Change = Extract<ServerEvent, { evento: (typeof CHANGES)[number] }>

const isChange = (received: ServerEvent): received is Change => CHANGES.some((name) => name === received.evento)

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

function withArrived(conversa: Conversa, mensagem: Mensagem): Conversa {
  const { tipo, origem, timestamp } = mensagem
  const { agenteMeta, ...withoutAgent } = conversa
  const ofPerson = origem === 'operador' || (origem === 'celular' && mensagem.agenteMeta !== true)
  const answered = tipo === 'enviada' && origem !== 'bot' && origem !== 'ia'
  const counts = tipo === 'recebida' && agenteMeta !== true
  return {
    ...(ofPerson ? withoutAgent : conversa),
    naoLidas: answered ? 0 : conversa.naoLidas + (counts ? 1 : 0),
    ultimaMensagem: { texto: summarizeMensagem(mensagem), timestamp },
    ultimaAtividade: timestamp,
  }
}

/** An event without `situacao`, such as the answer to a send, counts by its arrival. */
function changeByArrival(conversa: Conversa, { evento, dados }: Change): Conversa {
  if (evento === 'mensagemConversaHumana') return withArrived(conversa, dados.mensagem)
  const { operadorId, operador } = dados
  const { agenteMeta: _agente, operadorId: _id, operador: _nome, ...rest } = conversa
  const moved = evento === 'conversaAssumida' ? { naoLidas: dados.naoLidas ?? 0 } : { setor: dados.novoSetor }
  if (operadorId === undefined || operador === undefined) return { ...rest, ...moved, status: 'aguardando' }
  return { ...rest, ...moved, status: 'em_atendimento', operadorId, operador }
}

function withService(conversa: Conversa, change: Change): Conversa {
  const { situacao } = change.dados
  if (situacao === undefined) return changeByArrival(conversa, change)
  if (!supersedes(situacao, conversa)) return conversa
  const { operadorId: _id, operador: _nome, agenteMeta: _agente, semRespostaDesde: before = null, ...rest } = conversa
  const { aguardandoDesde = conversa.aguardandoDesde, semRespostaDesde = before, ...changed } = situacao
  return { ...rest, ...changed, aguardandoDesde, ...(semRespostaDesde === null ? {} : { semRespostaDesde }) }
}

const UNREAD_MAX = 100

/**
 * The person's own number follows the one of the conversa until the person reads. Later it grows with each message of the
 * customer, which also ends a reminder.
 */
function withMinha(before: Conversa, after: Conversa, received: boolean): Conversa {
  if (before.minha === undefined) return after
  const { lembrarEm: _lembrarEm, ...unhidden } = before.minha
  const follows = before.minha.naoLidas === before.naoLidas
  const naoLidas = follows ? after.naoLidas : before.minha.naoLidas + (received ? 1 : 0)
  const minha = { ...(received ? unhidden : before.minha), naoLidas: Math.min(UNREAD_MAX, naoLidas) }
  return { ...after, minha }
}

function withChange(conversa: Conversa, change: Change): Conversa {
  const mensagem = change.evento === 'mensagemConversaHumana' ? change.dados.mensagem : undefined
  const received = mensagem?.tipo === 'recebida' && !conversa.mensagens.some(({ id }) => id === mensagem.id)
  return withMinha(conversa, withState(conversa, change), received)
}

/** Names and texts follow the order of the messages; everything else follows `situacao`. */
function withState(conversa: Conversa, change: Change): Conversa {
  if (change.evento !== 'mensagemConversaHumana') return withService(conversa, change)
  const { mensagem, marcada = false, situacao } = change.dados
  const { mensagens, nova } = applyMensagem(conversa.mensagens, mensagem)
  if (marcada && nova) return conversa
  const last = mensagens.at(-1)
  const changed =
    last?.id === mensagem.id
      ? { ...conversa, mensagens, ultimaMensagem: { texto: summarizeMensagem(last), timestamp: last.timestamp } }
      : { ...conversa, mensagens }
  const served = nova || situacao !== undefined ? withService(changed, change) : changed
  const received = mensagens.findLast(({ tipo }) => tipo === 'recebida')
  return received === undefined ? served : withName(served, received.remetente)
}

type ContatoMudou = ServerEventPayloads['contatoMudou']['contato']

function withContato(conversa: Conversa, contato: ContatoMudou): Conversa {
  const { nome, telefone, nomeUsuario, etiquetas } = contato
  const cliente = { ...conversa.cliente, telefone, ...(nomeUsuario === undefined ? {} : { nomeUsuario }) }
  return withName({ ...conversa, cliente, etiquetas }, nome || telefone || cliente.nome)
}

const ENDED_KEPT = 1_000

/** Forgets an open conversa that ended. A copy that was read after the end stays. */
function forgetEnded(known: KnownConversas, id: string, revisao?: number): KnownConversas {
  const { byId } = known.byId.get(id)?.status === 'finalizada' ? known : forgetConversas(known, [id])
  if (revisao === undefined) return { ...known, byId }
  const others = [...known.ended].filter(([other]) => other !== id).slice(1 - ENDED_KEPT)
  return { byId, ended: new Map([...others, [id, revisao]]) }
}

/**
 * Returns what is known after an event. Events of other accounts or other subjects change nothing. An event of an
 * unknown conversa changes nothing either: the panel must read the conversa, see `concernsUnknown`.
 */
export function applyToConversas(known: KnownConversas, received: ServerEvent, contaId: string): KnownConversas {
  if (received.dados.userId !== contaId) return known
  const { evento, dados } = received
  if (isChange(received)) {
    return updateConversa(known, received.dados.conversaId, (conversa) => withChange(conversa, received))
  }
  if (evento === 'novaConversaHumana' || evento === 'conversaReaberta') return putConversas(known, [dados.conversa])
  if (evento === 'conversaFinalizada') return forgetEnded(known, dados.conversaId, dados.revisao)
  if (evento === 'leituraMudou') {
    return updateConversa(known, dados.conversaId, (conversa) => ({ ...conversa, minha: dados.minha }))
  }
  if (evento === 'avaliacaoRecebida') {
    return updateConversa(known, dados.conversaId, (conversa) => ({ ...conversa, nota: dados.nota }))
  }
  if (evento !== 'contatoMudou') return known
  return updateContato(known, dados.contato.id, (conversa) => withContato(conversa, dados.contato))
}

const WITHOUT_READ: readonly ServerEvent['evento'][] = [
  'conversaFinalizada',
  'avaliacaoRecebida',
  'clienteDigitando',
  'colegaDigitando',
  'resumoConversa',
  'notaConversa',
  'leituraMudou',
]

/** The id of the conversa that the panel must read before it can follow this event. Null: none. */
export function concernsUnknown(known: KnownConversas, { evento, dados }: ServerEvent): string | null {
  if (!('conversaId' in dados) || WITHOUT_READ.includes(evento) || known.byId.has(dados.conversaId)) return null
  const { situacao = {} } = 'situacao' in dados ? dados : {}
  return supersedes(situacao, nextAfterEnd(known, dados.conversaId)) ? dados.conversaId : null
}
