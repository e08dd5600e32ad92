import type { MotivoBot } from '@balcao/contract/entities/bot-status'
import type { TipoLog } from '@balcao/contract/entities/log'
import { TEXTO_DO_MOTIVO } from '@balcao/contract/errors'
import type { LinkState } from '@balcao/connector/port'

interface LogText {
  readonly tipo: TipoLog
  readonly mensagem: string
}

/** Puts the name of the connection before the text, if it has one. */
export function withConnection(name: string, { tipo, mensagem }: LogText): LogText {
  return { tipo, mensagem: name === '' ? mensagem : `Conexão ${name}: ${mensagem}` }
}

export function linkStateLog(state: LinkState): LogText {
  switch (state.tipo) {
    case 'conectando':
      return { tipo: 'info', mensagem: 'Bot iniciando. Em instantes ele se conecta ou mostra o QR Code na aba Geral.' }
    case 'pareando':
      return {
        tipo: 'info',
        mensagem: 'Aguardando QR Code. Abra a aba Geral e escaneie o código com o celular da empresa.',
      }
    case 'conectado':
      return {
        tipo: 'success',
        mensagem: state.como === '' ? 'Bot conectado!' : `Bot conectado! Celular: ${state.como}.`,
      }
    case 'reconectando':
      return { tipo: 'warning', mensagem: motivoText(state.motivo) }
    case 'encerrado':
      return { tipo: state.status === 'PARADO' ? 'warning' : 'error', mensagem: motivoText(state.motivo) }
    default:
      return state satisfies never
  }
}

/** Advice for a motivo whose own text has none. The panel shows the advice beside its buttons. */
const ADVICE: Readonly<Partial<Record<MotivoBot, string>>> = {
  substituido: 'Feche a outra sessão do WhatsApp e inicie o bot de novo.',
  banido: 'Veja no celular por quê e peça a revisão antes de iniciar o bot de novo.',
  banidoPorUmTempo: 'Veja no celular até quando e depois inicie o bot: não é preciso escanear de novo.',
  chaveDeAcesso: 'Conecte outro número ou escolha o conector da API oficial na aba Geral.',
  navegadorNaoEncontrado: 'Confira o caminho do navegador na aba Geral.',
  navegadorNaoPermitido: 'Fale com o administrador.',
  navegadorInutilizavel: 'Instale o Chrome ou o Chromium no servidor e confira o caminho na aba Geral.',
  navegadorSemProtecao: 'Peça a quem cuida do servidor para permitir o isolamento do navegador.',
  conectorAusente: 'Escolha outro conector na aba Geral ou peça a quem cuida do servidor para instalar este.',
  navegadorSemMemoria: 'Escolha o conector “WhatsApp” na aba Geral ou aumente a memória do servidor.',
}

function motivoText(motivo: MotivoBot): string {
  const run = ADVICE[motivo]
  return run === undefined ? TEXTO_DO_MOTIVO[motivo] : `${TEXTO_DO_MOTIVO[motivo]} ${run}`
}

export const NOT_ANSWERED_LOG = {
  tipo: 'error',
  mensagem:
    'O bot guardou uma mensagem, mas não conseguiu responder. Responda ao cliente pelo celular; se acontecer de novo, avise o administrador.',
} as const

export const MENSAGEM_FAILED_TEXT =
  'Uma mensagem não foi entregue ao WhatsApp depois de várias tentativas. Confira a conexão e use “Tentar de novo” na conversa.'
/** Reason shown on an expired message. */
export const EXPIRED_REASON = {
  automatic: 'Esta mensagem esperou mais de 24 horas e não foi enviada.',
  person: 'Esta mensagem esperou mais de 3 dias e não foi enviada.',
} as const

export function expiredLogText(count: number): string {
  const what =
    count === 1
      ? 'Uma mensagem esperou demais e não foi enviada'
      : `${count} mensagens esperaram demais e não foram enviadas`
  return `${what}, porque o bot ficou sem conexão. Use “Tentar de novo” na conversa.`
}

const NO_REPLY_TEXT = 'Os clientes ficam sem resposta automática até ele ser iniciado de novo.'

export function stopLog({ por, esquecer }: { readonly por: string | undefined; readonly esquecer: boolean }): LogText {
  if (por === undefined) return { tipo: 'info', mensagem: `Bot parado. ${NO_REPLY_TEXT}` }
  const mensagem = esquecer
    ? `${por} limpou a sessão. Inicie o bot e escaneie um novo QR Code para voltar a atender.`
    : `Bot parado por ${por}. ${NO_REPLY_TEXT}`
  return { tipo: 'user', mensagem }
}

export const WAITING_FOR_PERSON_TEXT =
  'Um cliente espera para falar com uma pessoa. Assuma a conversa na aba Atendimento.'
export const ratedText = (note: number): string => `Um cliente avaliou o atendimento com nota ${note}.`
