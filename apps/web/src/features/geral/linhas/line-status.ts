import { CONNECTORS } from '@balcao/contract/connectors'
import type { MotivoBot } from '@balcao/contract/entities/bot-status'
import type { Linha } from '@balcao/contract/entities/linha'
import { explainStatus, type StatusExplanation } from '#features/geral/bot/bot-status-card.tsx'
import type { LineSession } from './session-acts.ts'

/** Fixes that the account's settings below the lines do not offer for other lines. */
const LINE_FIX: Readonly<Partial<Record<MotivoBot, string>>> = {
  chaveDeAcesso: 'Conecte outro número ou escolha o conector da API oficial em “Editar”.',
  navegadorSemMemoria: 'Escolha outro conector em “Editar” ou aumente a memória do servidor.',
  conectorAusente: 'Escolha outro conector em “Editar” ou peça a quem cuida do servidor para instalar este.',
}

/** A connector with a token has no session to clear. */
const TOKEN_FIX = 'Confira os “Dados da API oficial” e clique em “Iniciar bot”.'

const UNKNOWN: StatusExplanation = {
  text: 'Não foi possível saber como esta linha está.',
  fix: 'O painel pergunta de novo sozinho. Se durar, confira a sua internet.',
}

const OFF: StatusExplanation = {
  text: 'A linha está desativada: ninguém é atendido por ela.',
  fix: 'As conversas continuam no histórico.',
}

function explainSite({ motivo, status }: LineSession['state']): StatusExplanation {
  if (motivo !== undefined) return explainStatus(status, motivo)
  return status === 'CONECTADO'
    ? { text: 'O chat está no ar e responde os visitantes do site.' }
    : { text: 'O chat está abrindo. Isso leva alguns segundos.' }
}

/** The state of a line in a sentence, and the next step of its owner. */
export function explainLine(linha: Linha, { state, known }: LineSession): StatusExplanation {
  if (!linha.ativa) return OFF
  if (!known) return UNKNOWN
  const { status, motivo, modoTeste } = state
  const { pairing } = CONNECTORS[linha.conector]
  if (pairing === 'site') return explainSite(state)
  const explanation = explainStatus(status, motivo, modoTeste)
  if (pairing === 'none' && explanation.fix?.includes('Limpar Sessão') === true)
    return { ...explanation, fix: TOKEN_FIX }
  const fix = motivo === undefined || linha.principal ? undefined : LINE_FIX[motivo]
  return fix === undefined ? explanation : { ...explanation, fix }
}
