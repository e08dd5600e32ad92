import type { BotContext } from '#context.ts'
import { type BotEffect, texto } from '#effect.ts'
import type { Contato } from '#event.ts'
import { preencher } from '#rules/modelo.ts'
import { renderMenu } from '#rules/opcoes.ts'
import type { BotState, Memoria } from '#state.ts'

export interface Turno {
  readonly contexto: BotContext
  readonly memoria: Memoria
  readonly agora: number
  readonly contato: Contato
  readonly protocolo: string
}

export interface Resultado {
  readonly state: BotState
  readonly effects: readonly BotEffect[]
}

/** Text with its placeholders filled. An empty text gives no effect. */
export function dizer(turno: Turno, conteudo: string): BotEffect[] {
  const cheio = preencher(conteudo, turno)
  return cheio.trim() === '' ? [] : [texto(cheio)]
}

/** First text that is not empty, so that a text emptied by the owner does not leave the customer without answer. */
export function dizerAlgum(turno: Turno, ...conteudos: readonly string[]): BotEffect[] {
  for (const conteudo of conteudos) {
    const dito = dizer(turno, conteudo)
    if (dito.length > 0) return dito
  }
  return []
}

/** Shows the main menu after the effects `antes`. Never silent: options missing in the owner's text are appended. */
export function mostrarMenu(turno: Turno, antes: readonly BotEffect[] = []): Resultado {
  return {
    state: { ...turno.memoria, etapa: 'menu', pergunta: null },
    effects: [...antes, ...dizer(turno, renderMenu(turno.contexto.config))],
  }
}

/** State after the end. The next message starts with the greeting again. */
export function encerrada({ memoria, agora }: Turno): BotState {
  return { ...memoria, etapa: 'encerrada', desde: agora, pergunta: null }
}
