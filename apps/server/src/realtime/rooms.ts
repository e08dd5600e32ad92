import { type Componente, COMPONENTES } from '@balcao/contract/constants'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { isRestricted, type ReadableParts, SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { ContaEventName } from '@balcao/contract/realtime'
import { hasComponente, type LoginSession } from '#http/authentication.ts'
import type { ConversaAudience } from '#ports/realtime.ts'

/** Room names. Only the server assigns rooms, from the token of the socket. */
export const room = {
  conta: (contaId: string) => `conta:${contaId}`,
  componente: (contaId: string, componente: string) => `conta:${contaId}:${componente}`,
  visao: (contaId: string, { geral, logs, contatos }: StatusView) =>
    `conta:${contaId}:status:${geral}:${logs}:${contatos}`,
  todosSetores: (contaId: string) => `conta:${contaId}:atendimento:todos`,
  /** Operadores who may read the conversas of some setores or lines. */
  restritos: (contaId: string) => `conta:${contaId}:atendimento:restritos`,
  setor: (contaId: string, setor: string) => `conta:${contaId}:atendimento:setor:${setor}`,
  linha: (contaId: string, linhaId: string) => `conta:${contaId}:atendimento:linha:${linhaId}`,
  setorNaLinha: (contaId: string, setor: string, linhaId: string) =>
    `conta:${contaId}:atendimento:linha:${linhaId}:setor:${setor}`,
  atendente: (contaId: string, usuarioId: string) => `conta:${contaId}:atendimento:usuario:${usuarioId}`,
  usuario: (usuarioId: string) => `usuario:${usuarioId}`,
  sessao: (tokenHash: string) => `sessao:${tokenHash}`,
} as const

/** Parts of the bot status that a usuario may see. The QR code can link a phone, so it needs a permission. */
export interface StatusView {
  readonly geral: boolean
  readonly logs: boolean
  readonly contatos: boolean
}

export const STATUS_VIEWS: readonly StatusView[] = [
  { geral: true, logs: true, contatos: true },
  { geral: true, logs: false, contatos: true },
  { geral: false, logs: true, contatos: true },
  { geral: false, logs: false, contatos: true },
  { geral: false, logs: false, contatos: false },
]

export function statusViewOf(session: LoginSession): StatusView {
  return {
    geral: hasComponente(session, 'configuracaoGeral'),
    logs: hasComponente(session, 'logsStatus'),
    contatos: !isRestricted(session),
  }
}

type FilteredStatus = Pick<BotStatus, 'qrCode' | 'qr' | 'logs' | 'conversasAtivas'>

export function visibleStatus<S extends FilteredStatus>(status: S, view: StatusView): S {
  return {
    ...status,
    ...(view.geral ? {} : { qrCode: null, qr: null }),
    ...(view.logs ? {} : { logs: [] }),
    ...(view.contatos ? {} : { conversasAtivas: [] }),
  }
}

export function roomsOfSession(session: LoginSession): string[] {
  const { contaId } = session
  return [
    room.conta(contaId),
    room.visao(contaId, statusViewOf(session)),
    room.usuario(session.usuarioId),
    room.sessao(session.tokenHash),
    ...COMPONENTES.filter((componente) => hasComponente(session, componente)).map((componente) =>
      room.componente(contaId, componente),
    ),
    ...roomsOfReader(session),
  ]
}

/** A restricted operador has no room of the whole conta, so a forgotten setor hides an event and never shows one. */
function roomsOfReader(session: LoginSession): string[] {
  const { contaId, usuarioId } = session
  if (!hasComponente(session, 'atendimentoHumano')) return []
  if (!isRestricted(session)) return [room.todosSetores(contaId)]
  return [room.restritos(contaId), room.atendente(contaId, usuarioId), ...new Set(roomsOfParts(contaId, session))]
}

function roomsOfParts(contaId: string, { setores, linhas }: ReadableParts): string[] {
  if (setores.length === 0) return linhas.map((linhaId) => room.linha(contaId, linhaId))
  return [SETOR_GERAL, ...setores].flatMap((setor) =>
    linhas.length === 0
      ? [room.setor(contaId, setor)]
      : linhas.map((linhaId) => room.setorNaLinha(contaId, setor, linhaId)),
  )
}

/** Rooms of an event about one conversa: the same usuarios as `mayReadConversa`. */
export function roomsOfAudience(contaId: string, { setores, linhaId, operadorId }: ConversaAudience): string[] {
  return [
    room.todosSetores(contaId),
    room.linha(contaId, linhaId),
    ...setores.flatMap((setor) => [
      room.setor(contaId, setor ?? SETOR_GERAL),
      room.setorNaLinha(contaId, setor ?? SETOR_GERAL, linhaId),
    ]),
    ...(operadorId === null ? [] : [room.atendente(contaId, operadorId)]),
  ]
}

type RoomEventName = Exclude<ContaEventName, 'botStatus'>

/** Componentes whose usuarios receive an event; null: all usuarios of the conta. */
const EVENT_COMPONENTES: Readonly<Record<RoomEventName, readonly Componente[] | null>> = {
  botStatusChange: null,
  botQrCode: ['configuracaoGeral'],
  linhaMudou: null,
  linhaQrCode: ['configuracaoGeral'],
  botLog: ['logsStatus'],
  botMensagem: ['logsStatus'],
  botConversaAtiva: ['logsStatus', 'configuracaoGeral'],
  operadorStatusChange: ['atendimentoHumano'],
  contatoMudou: ['atendimentoHumano'],
  pedidoNovo: ['lojaWhatsapp', 'atendimentoHumano'],
  pedidoMudou: ['lojaWhatsapp', 'atendimentoHumano'],
  fonteMudou: ['iaChatbot'],
}

export function isRoomEvent(name: string): name is RoomEventName {
  return name in EVENT_COMPONENTES
}

/**
 * Rooms of an event, by the component it belongs to. `botStatus` is filtered per view, events of a conversa by
 * audience.
 */
export function roomsOfEvent(contaId: string, event: RoomEventName): string[] {
  const componentes = EVENT_COMPONENTES[event]
  if (componentes === null) return [room.conta(contaId)]
  return componentes.map((componente) => room.componente(contaId, componente))
}
