import type { QueuePlace } from '#atendimento/waiting-estimate.ts'
import type { BotContext } from '#context.ts'
import { type BotEffect, choicesEffect, textEffect } from '#effect.ts'
import type { EventContato } from '#event.ts'
import { fillPlaceholders } from '#rules/placeholders.ts'
import { renderMenu } from '#rules/opcoes.ts'
import type { BotState, BotMemory } from '#state.ts'

export interface EngineTurn {
  readonly context: BotContext
  readonly memory: BotMemory
  readonly now: number
  readonly contato: EventContato
  readonly protocolo: string
  readonly fila?: QueuePlace
  readonly link?: string
}

export interface StepResult {
  readonly state: BotState
  readonly effects: readonly BotEffect[]
}

/** Text with its placeholders filled. An empty text gives no effect. */
export function sayText(turn: EngineTurn, content: string): BotEffect[] {
  const full = fillPlaceholders(content, turn)
  return full.trim() === '' ? [] : [textEffect(full)]
}

/** First text that is not empty, so that a text emptied by the owner does not leave the customer without answer. */
export function sayFirst(turn: EngineTurn, ...contents: readonly string[]): BotEffect[] {
  for (const conteudo of contents) {
    const said = sayText(turn, conteudo)
    if (said.length > 0) return said
  }
  return []
}

/** Shows the main menu after the effects `before`. Never silent: options missing in the owner's text are appended. */
export function showMenu(turn: EngineTurn, before: readonly BotEffect[] = []): StepResult {
  return {
    state: { ...turn.memory, etapa: 'menu', pergunta: null },
    effects: [...before, ...sayMenu(turn)],
  }
}

function sayMenu(turn: EngineTurn): BotEffect[] {
  const { config } = turn.context
  const full = fillPlaceholders(renderMenu(config), turn)
  if (full.trim() === '') return []
  const escolhas = config.menu.opcoes.map(({ numero, titulo }) => ({
    id: numero,
    titulo: fillPlaceholders(titulo, turn),
  }))
  return [choicesEffect(full, escolhas)]
}

/** State after the end. The next message starts with the greeting again. */
export function endedState({ memory, now }: EngineTurn): BotState {
  return { ...memory, etapa: 'encerrada', desde: now, pergunta: null }
}
