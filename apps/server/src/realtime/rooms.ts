import { type Componente, COMPONENTES } from '@balcao/contract/constants'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { ServerEventName } from '@balcao/contract/realtime'
import { hasComponente, type LoginSession } from '#http/authentication.ts'

/** Room names. Only the server assigns rooms, from the token of the socket. */
export const room = {
  conta: (contaId: string) => `conta:${contaId}`,
  componente: (contaId: string, componente: string) => `conta:${contaId}:${componente}`,
  visao: (contaId: string, visao: StatusView) => `conta:${contaId}:status:${visao.geral}:${visao.logs}`,
  usuario: (usuarioId: string) => `usuario:${usuarioId}`,
  sessao: (tokenHash: string) => `sessao:${tokenHash}`,
} as const

/** Parts of the bot status that a usuario may see. The QR code can link a phone, so it needs a permission. */
export interface StatusView {
  readonly geral: boolean
  readonly logs: boolean
}

export const STATUS_VIEWS: readonly StatusView[] = [
  { geral: true, logs: true },
  { geral: true, logs: false },
  { geral: false, logs: true },
  { geral: false, logs: false },
]

export function statusViewOf(session: LoginSession): StatusView {
  return { geral: hasComponente(session, 'configuracaoGeral'), logs: hasComponente(session, 'logsStatus') }
}

export function visibleStatus<S extends Pick<BotStatus, 'qrCode' | 'qr' | 'logs'>>(status: S, view: StatusView): S {
  return {
    ...status,
    ...(view.geral ? {} : { qrCode: null, qr: null }),
    ...(view.logs ? {} : { logs: [] }),
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
  ]
}

type RoomEventName = Exclude<ServerEventName, 'botStatus'>

/** Componentes whose usuarios receive an event; null: all usuarios of the conta. */
const EVENT_COMPONENTES: Readonly<Record<RoomEventName, readonly Componente[] | null>> = {
  botStatusChange: null,
  botQrCode: ['configuracaoGeral'],
  botLog: ['logsStatus'],
  botMensagem: ['logsStatus'],
  botConversaAtiva: ['logsStatus', 'configuracaoGeral'],
  novaConversaHumana: ['atendimentoHumano'],
  mensagemConversaHumana: ['atendimentoHumano'],
  conversaAssumida: ['atendimentoHumano'],
  conversaFinalizada: ['atendimentoHumano'],
  conversaTransferida: ['atendimentoHumano'],
  clienteDigitando: ['atendimentoHumano'],
  operadorStatusChange: ['atendimentoHumano'],
}

/** Rooms of an event, by the component it belongs to. `botStatus` is filtered per view instead. */
export function roomsOfEvent(contaId: string, event: RoomEventName): string[] {
  const componentes = EVENT_COMPONENTES[event]
  if (componentes === null) return [room.conta(contaId)]
  return componentes.map((componente) => room.componente(contaId, componente))
}
