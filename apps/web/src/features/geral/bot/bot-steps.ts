import type { MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'
import { parseStatusBot } from '@balcao/contract/bot-status'
import { TEXTO_DO_MOTIVO } from '@balcao/contract/errors'

export const BOT_STEPS = ['Parado', 'Iniciando', 'Aguardando QR', 'Conectado'] as const

export type StepState = 'feita' | 'atual' | 'falhou' | 'futura'

const STEP_POSITION: Readonly<Record<StatusBot, number>> = {
  PARADO: 0,
  INICIALIZANDO: 1,
  AGUARDANDO_QR: 2,
  autenticado: 3,
  CONECTADO: 3,
  ERRO: 1,
  erro_auth: 2,
}

export function botStepStates(value: string): readonly StepState[] {
  const status = parseStatusBot(value)
  if (status === null) return BOT_STEPS.map(() => 'futura')
  const position = STEP_POSITION[status]
  const failed = status === 'ERRO' || status === 'erro_auth'
  return BOT_STEPS.map((_, index) => {
    if (index < position || status === 'CONECTADO') return 'feita'
    if (index > position) return 'futura'
    return failed ? 'falhou' : 'atual'
  })
}

export interface StatusExplanation {
  readonly text: string
  readonly fix?: string
}

const FIX_TEXT: Readonly<Record<MotivoBot, string>> = {
  qrExpirado: 'Clique em “Iniciar bot” e escaneie o novo código em até um minuto.',
  desconectadoNoCelular: 'Clique em “Iniciar bot” e conecte o aparelho novamente.',
  substituido: 'Feche a outra sessão do WhatsApp e inicie o bot de novo.',
  banido: 'Abra o WhatsApp no celular e siga as orientações para recorrer do bloqueio.',
  banidoPorUmTempo: 'Veja no celular até quando. Depois, clique em “Iniciar bot”: não é preciso escanear de novo.',
  chaveDeAcesso: 'Conecte outro número ou escolha o conector da API oficial na configuração abaixo.',
  clienteDesatualizado: 'Avise quem cuida do servidor. Suas conversas e configurações ficam guardadas.',
  credenciaisInvalidas: 'Clique em “Limpar Sessão” no menu e depois em “Iniciar bot”.',
  navegadorNaoEncontrado: 'Abra “Avançado” na configuração abaixo e corrija o caminho do navegador.',
  navegadorNaoPermitido: 'Peça ao administrador do servidor para liberar este caminho.',
  navegadorInutilizavel: 'Instale o Chrome ou o Chromium no servidor e confira o caminho em “Avançado”.',
  navegadorSemProtecao: 'Peça a quem cuida do servidor para permitir o isolamento do navegador.',
  navegadorSemMemoria: 'Escolha outro conector na configuração abaixo ou aumente a memória do servidor.',
  navegadorCaiu: 'Não precisa fazer nada. Se repetir muito, falta memória ao servidor.',
  semRede: 'Não precisa fazer nada. Se durar, confira a internet do servidor.',
  servicoInstavel: 'Não precisa fazer nada: o bot volta sozinho e responde o que chegou.',
  manutencao: 'Encerre a manutenção na aba Logs para voltar a responder.',
  copiaRestaurada: 'Avise o administrador. Quando ele liberar, o bot inicia sozinho.',
  conectorAusente: 'Escolha outro conector na configuração abaixo ou peça a quem cuida do servidor para instalar este.',
  maquinaFora: 'O bot volta sozinho quando ela ligar. Se não puder esperar, conecte em outra máquina.',
  erroInterno: 'Se continuar, use “Limpar Sessão” no menu e inicie novamente.',
}

const STATUS_TEXT: Readonly<Record<StatusBot, string>> = {
  PARADO: 'O bot está parado: ninguém recebe resposta automática.',
  INICIALIZANDO: 'Preparando a sessão. Isso leva alguns segundos.',
  AGUARDANDO_QR: 'Falta pouco: escaneie o código para conectar.',
  CONECTADO: 'Tudo certo: o bot está respondendo seus clientes.',
  ERRO: 'O bot encontrou um erro e parou.',
  autenticado: 'Celular reconhecido. Terminando a conexão…',
  erro_auth: 'O celular recusou a conexão.',
}

/** Shown when the first status request failed: the displayed status `PARADO` is only a default. */
export const UNKNOWN_STATUS: StatusExplanation = {
  text: 'Não foi possível saber como o bot está.',
  fix: 'O painel pergunta de novo sozinho. Se durar, confira a sua internet.',
}

export function explainStatus(value: string, reason: MotivoBot | undefined): StatusExplanation {
  if (reason !== undefined) return { text: TEXTO_DO_MOTIVO[reason], fix: FIX_TEXT[reason] }
  const status = parseStatusBot(value)
  if (status === null) return { text: 'O servidor informou um status que este painel não conhece.' }
  const failed = status === 'ERRO' || status === 'erro_auth'
  return failed
    ? { text: STATUS_TEXT[status], fix: 'Inicie o bot novamente. Se continuar, use “Limpar Sessão” no menu.' }
    : { text: STATUS_TEXT[status] }
}
