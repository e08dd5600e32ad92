import { COMPONENTES } from '@balcao/contract/constants'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { NomeEvento } from '@balcao/contract/realtime'
import type { Sessao } from '#http/authentication.ts'
import { holds } from '#http/permission.ts'

/** Room names. Only the server assigns rooms, from the token of the socket. */
export const sala = {
  conta: (contaId: string) => `conta:${contaId}`,
  componente: (contaId: string, componente: string) => `conta:${contaId}:${componente}`,
  visao: (contaId: string, visao: VisaoDoStatus) => `conta:${contaId}:status:${visao.geral}:${visao.logs}`,
  usuario: (usuarioId: string) => `usuario:${usuarioId}`,
  sessao: (tokenHash: string) => `sessao:${tokenHash}`,
} as const

/** Parts of the bot status that a usuario may see. The QR code can link a phone, so it needs a permission. */
export interface VisaoDoStatus {
  readonly geral: boolean
  readonly logs: boolean
}

export const VISOES: readonly VisaoDoStatus[] = [
  { geral: true, logs: true },
  { geral: true, logs: false },
  { geral: false, logs: true },
  { geral: false, logs: false },
]

export function visaoDe(sessao: Sessao): VisaoDoStatus {
  return { geral: holds(sessao, 'configuracaoGeral'), logs: holds(sessao, 'logsStatus') }
}

export function verStatus<S extends Pick<BotStatus, 'qrCode' | 'qr' | 'logs'>>(status: S, visao: VisaoDoStatus): S {
  return {
    ...status,
    ...(visao.geral ? {} : { qrCode: null, qr: null }),
    ...(visao.logs ? {} : { logs: [] }),
  }
}

export function salasDaSessao(sessao: Sessao): string[] {
  const { contaId } = sessao
  return [
    sala.conta(contaId),
    sala.visao(contaId, visaoDe(sessao)),
    sala.usuario(sessao.usuarioId),
    sala.sessao(sessao.tokenHash),
    ...COMPONENTES.filter((componente) => holds(sessao, componente)).map((componente) =>
      sala.componente(contaId, componente),
    ),
  ]
}

/** Rooms of an event, by the component it belongs to. `botStatus` is filtered per view instead. */
export function salasDoEvento(contaId: string, evento: Exclude<NomeEvento, 'botStatus'>): string[] {
  switch (evento) {
    case 'botStatusChange':
      return [sala.conta(contaId)]
    case 'botQrCode':
      return [sala.componente(contaId, 'configuracaoGeral')]
    case 'botLog':
    case 'botMensagem':
      return [sala.componente(contaId, 'logsStatus')]
    case 'botConversaAtiva':
      return [sala.componente(contaId, 'logsStatus'), sala.componente(contaId, 'configuracaoGeral')]
    case 'novaConversaHumana':
    case 'mensagemConversaHumana':
    case 'conversaAssumida':
    case 'conversaFinalizada':
    case 'conversaTransferida':
    case 'clienteDigitando':
    case 'operadorStatusChange':
      return [sala.componente(contaId, 'atendimentoHumano')]
    default:
      return evento satisfies never
  }
}
