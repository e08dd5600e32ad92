import type * as z from 'zod'
import type { createStateSchema } from './stored-state/schema.ts'

/** State of the bot for one customer, stored as JSON with the contato. Instants are in ms. */

export type BotState = z.infer<ReturnType<typeof createStateSchema>>
export type Etapa = BotState['etapa']

export type BotMemory = Omit<Extract<BotState, { etapa: 'nenhuma' }>, 'etapa'>

/** Privacy notice and stop. They hold for the customer, on every line. */
export type Consent = Readonly<Pick<BotState, 'avisadoEm' | 'paradoEm'>>

export const NO_CONSENT: Consent = { avisadoEm: null, paradoEm: null }

export function initialState(): BotState {
  return {
    versao: 1,
    etapa: 'nenhuma',
    ultimaEm: null,
    erros: 0,
    pergunta: null,
    respostasEm: [],
    semPessoa: [],
    repetido: null,
    caladoAte: null,
    telefoneAte: null,
    foraPeriodoDito: null,
    avaliacaoPedidaEm: null,
    saudouAtraso: false,
    apresentada: false,
    carrinho: null,
    ...NO_CONSENT,
  }
}

/** True if the loop guard or the owner on the phone keeps the bot silent at `now` (ms). */
export function isSilentAt({ caladoAte, telefoneAte }: BotState, now: number): boolean {
  return (caladoAte ?? 0) > now || (telefoneAte ?? 0) > now
}

export function memoryFields(state: BotState): BotMemory {
  const { versao, ultimaEm, erros, pergunta, respostasEm, semPessoa, repetido, caladoAte, telefoneAte } = state
  const { foraPeriodoDito, avaliacaoPedidaEm, saudouAtraso, apresentada, avisadoEm, paradoEm, carrinho } = state
  return {
    ...{ versao, ultimaEm, erros, pergunta, respostasEm, semPessoa, repetido, caladoAte, telefoneAte },
    ...{ foraPeriodoDito, avaliacaoPedidaEm, saudouAtraso, apresentada, avisadoEm, paradoEm, carrinho },
  }
}
