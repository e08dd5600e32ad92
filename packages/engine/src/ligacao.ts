import { CORTESIA_APOS_FIM_MS, LACO, MENSAGEM_ANTIGA_MS } from '@balcao/contract/constants'
import type { LigacaoPerdida } from './event.ts'
import { contarResposta } from './rules/repeticao.ts'
import { tempoEsgotado } from './stages/avaliacao.ts'
import { type BotState, caladoEm, memoriaDe } from './state.ts'
import { dizer, type Resultado, type Turno } from './turno.ts'

/**
 * Answers a missed call with the owner's text and keeps the stage. Sends nothing while people or the owner serve
 * the customer, after `PARAR`, for calls older than 10 minutes, or after 15 answers within a minute.
 */
export function ligacaoPerdida(turno: Turno, state: BotState, { agora, ligouEm }: LigacaoPerdida): Resultado {
  const onde = deNovo(state, agora)
  const emSilencio =
    state.etapa === 'humano' ||
    state.paradoEm !== null ||
    caladoEm(state, agora) ||
    agora - ligouEm > MENSAGEM_ANTIGA_MS ||
    state.respostasEm.filter((instante) => agora - instante < LACO.respostasJanelaMs).length >= LACO.respostasMaximo
  const effects = emSilencio ? [] : dizer(turno, turno.contexto.config.whatsapp.respostaLigacao)
  if (effects.length === 0) return { state: onde, effects }
  return { state: contarResposta(onde, agora), effects }
}

/** Resets the stage when an ended or unrated conversation has expired. */
export function deNovo(state: BotState, agora: number): BotState {
  const acabou =
    (state.etapa === 'encerrada' && agora - state.desde >= CORTESIA_APOS_FIM_MS) ||
    (state.etapa === 'avaliando' && tempoEsgotado(state, agora))
  return acabou ? { ...memoriaDe(state), etapa: 'nenhuma' } : state
}
