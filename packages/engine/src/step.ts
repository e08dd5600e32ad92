import type { BotContext } from './context.ts'
import { withPedido } from './effect.ts'
import type {
  AcaoAtendente,
  AtendenteEncerrou,
  AtendenteFinalizou,
  AtendenteTransferiu,
  AvaliacaoSimulada,
  AvisoAutomatico,
  BotEvent,
  MensagemDoTelefone,
  RespostaIaEvent,
  SilencioEncerrou,
} from './event.ts'
import { resetIfExpired, handleMissedCall } from './missed-call.ts'
import { handleCustomerMessage } from './customer-message.ts'
import { askAvaliacao, askTestAvaliacao, sayGoodbye } from './stages/avaliacao.ts'
import { handleIaAnswer } from './stages/ia.ts'
import { type BotState, isSilentAt, memoryFields } from './state.ts'
import { receiveCart } from './stages/page-cart.ts'
import { endedState, sayText, showMenu, type StepResult, type EngineTurn } from './engine-turn.ts'
import { sayPix } from './pedidos/order-end.ts'
import { remindCart } from './pedidos/remind-cart.ts'
import { countAutoAnswer } from './rules/loop-guard.ts'

/**
 * Runs the bot for one event of one customer. Takes the account's settings, the stored state and the event with its
 * own time; returns the next state and the effects in order. Never throws, reads no clock and is deterministic.
 */
export function step(context: BotContext, state: BotState, event: BotEvent): StepResult {
  const turn = turnOf(context, state, event)
  if (event.tipo === 'mensagemCliente') return handleCustomerMessage(turn, state, event)
  if (event.tipo === 'mensagemDoTelefone') return silenceForOwner(context, state, event)
  if (event.tipo === 'ligacaoPerdida') return handleMissedCall(turn, state, event)
  if (event.tipo === 'respostaIa') return handleAwaitedAnswer(turn, state, event)
  if (event.tipo === 'avisoAutomatico') return sendNotice(turn, state, event)
  if (event.tipo === 'carrinhoDaPagina') return receiveCart(turn, state, event.carrinho)
  if (event.tipo === 'lembrarCarrinho') return remindCart(turn, state)
  return handlePanelAction(afterPanelAction(turn), state, event)
}

/** After a request to stop, no notice is sent. */
function sendNotice(turn: EngineTurn, state: BotState, { texto, pix, pedidoId }: AvisoAutomatico): StepResult {
  if (state.paradoEm !== null) return { state, effects: [] }
  const said = sayText(turn, texto)
  const text = pedidoId === undefined ? said : said.map((effect) => withPedido(effect, pedidoId))
  return { state, effects: [...text, ...(pix === undefined ? [] : sayPix(pix, pedidoId))] }
}

function turnOf(
  context: BotContext,
  state: BotState,
  { agora: now, contato, protocolo = '', fila, link }: BotEvent,
): EngineTurn {
  const page = link === undefined ? {} : { link }
  const known = { context, memory: memoryFields(state), now, contato, protocolo, ...page }
  return fila === undefined ? known : { ...known, fila }
}

/** The owner wrote on the phone: the bot stays silent until the conversation would have expired. */
function silenceForOwner(
  { config }: BotContext,
  state: BotState,
  { agora, escritaEm }: MensagemDoTelefone,
): StepResult {
  const until = Math.min(agora, escritaEm ?? agora) + config.menu.expiraEmMinutos * 60_000
  const telefoneAte = Math.max(until, state.telefoneAte ?? 0)
  return { state: { ...resetIfExpired(state, agora), telefoneAte, pergunta: null, semPessoa: [] }, effects: [] }
}

/** Drops the answer to a question that the state does not await. */
function handleAwaitedAnswer(turn: EngineTurn, state: BotState, event: RespostaIaEvent): StepResult {
  const late = state.pergunta !== event.perguntaId || state.etapa === 'humano' || isSilentAt(state, event.agora)
  if (late) return { state, effects: [] }
  const { state: after, effects } = handleIaAnswer(turn, state, event)
  return { state: countAutoAnswer(after, event.agora), effects }
}

type PanelEvent =
  | AcaoAtendente
  | AtendenteFinalizou
  | AtendenteEncerrou
  | AtendenteTransferiu
  | AvaliacaoSimulada
  | SilencioEncerrou

function handlePanelAction(turn: EngineTurn, state: BotState, event: PanelEvent): StepResult {
  switch (event.tipo) {
    case 'atendenteAssumiu':
      return { state: { ...turn.memory, etapa: 'humano', setor: currentSetor(state) }, effects: [] }
    case 'atendenteTransferiu':
      return { state: { ...turn.memory, etapa: 'humano', setor: event.setor }, effects: [] }
    case 'devolvidaAoBot': {
      const returned = showMenu(turn)
      return state.paradoEm === null ? returned : { ...returned, effects: [] }
    }
    case 'atendenteFinalizou':
      return event.semAvaliacao === true ? sayGoodbye(turn) : askAvaliacao(turn)
    case 'atendenteEncerrou':
      return { state: endedState(turn), effects: [] }
    case 'silencioEncerrou':
      return sayGoodbye(turn)
    case 'avaliacaoSimulada':
      // A test must not take a customer away from people or override a stop.
      return state.etapa === 'humano' || state.paradoEm !== null ? { state, effects: [] } : askTestAvaliacao(turn)
  }
}

/** An action in the panel ends the silence of the bot and counts as activity at this instant. */
function afterPanelAction(turn: EngineTurn): EngineTurn {
  const quiet = { telefoneAte: null, caladoAte: null, pergunta: null, erros: 0, semPessoa: [] }
  return { ...turn, memory: { ...turn.memory, ultimaEm: turn.now, ...quiet } }
}

function currentSetor(state: BotState): string {
  return state.etapa === 'humano' ? state.setor : 'geral'
}
