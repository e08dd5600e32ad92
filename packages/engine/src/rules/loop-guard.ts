import { LACO } from '@balcao/contract/constants'
import type { BotMemory } from '#state.ts'
import { foldText } from './text.ts'

/** Loop guard: ends a conversation between the bot and another machine. */

/** Adds a text to the memory. `emLaco` is true when the bot must stop answering. */
export function observeText(memory: BotMemory, text: string, now: number): { memoria: BotMemory; emLaco: boolean } {
  const dobrado = foldText(text).slice(0, 200)
  const { repetido } = memory
  const previous = repetido?.texto === dobrado ? repetido.instantes : []
  const instants = [...previous.filter((instant) => now - instant < LACO.repeticoesJanelaMs), now]
  const respostasEm = memory.respostasEm.filter((instant) => now - instant < LACO.respostasJanelaMs)
  const emLaco =
    (dobrado !== '' && instants.length >= LACO.repeticoesMaximo) || respostasEm.length >= LACO.respostasMaximo
  return {
    memoria: {
      ...memory,
      repetido: { texto: dobrado, instantes: instants.slice(-LACO.repeticoesMaximo) },
      respostasEm,
    },
    emLaco,
  }
}

/** Adds one automatic answer to the memory. */
export function countAutoAnswer<T extends Pick<BotMemory, 'respostasEm'>>(memory: T, now: number): T {
  return { ...memory, respostasEm: [...memory.respostasEm, now].slice(-LACO.respostasMaximo) }
}
