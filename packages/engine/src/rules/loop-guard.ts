import { LACO } from '@balcao/contract/constants'
import type { BotMemory } from '#state.ts'
import { foldText } from './text.ts'

const COUNT_STEP_MS = 600_000

/** Adds a text to the memory. `emLaco` is true when the bot must stop answering. */
export function observeText(memory: BotMemory, text: string, now: number): { memoria: BotMemory; emLaco: boolean } {
  const dobrado = foldText(text).slice(0, 200)
  const { repetido } = memory
  const previous = repetido?.texto === dobrado ? repetido.instantes : []
  const instants = [...previous.filter((instant) => now - instant < LACO.repeticoesJanelaMs), now]
  const respostasEm = memory.respostasEm.filter((instant) => now - instant < LACO.respostasJanelaMs)
  const emLaco =
    (dobrado !== '' && instants.length >= LACO.repeticoesMaximo) ||
    respostasEm.length >= LACO.respostasMaximo ||
    answersTooLong(memory, now)
  return {
    memoria: {
      ...memory,
      repetido: { texto: dobrado, instantes: instants.slice(-LACO.repeticoesMaximo) },
      respostasEm,
    },
    emLaco,
  }
}

/** True after 100 automatic answers within an hour without an act of the shop's people. */
export function answersTooLong({ semPessoa }: Pick<BotMemory, 'semPessoa'>, now: number): boolean {
  return recentAnswers(semPessoa, now).reduce((sum, { respostas }) => sum + respostas, 0) >= LACO.semPessoaMaximo
}

function recentAnswers(answers: BotMemory['semPessoa'], now: number): BotMemory['semPessoa'] {
  return answers.filter(({ desde }) => now - desde < LACO.semPessoaJanelaMs)
}

/** Adds one automatic answer to the memory. */
export function countAutoAnswer<T extends Pick<BotMemory, 'respostasEm' | 'semPessoa'>>(memory: T, now: number): T {
  const recent = recentAnswers(memory.semPessoa, now)
  const last = recent.at(-1)
  const semPessoa =
    last !== undefined && now - last.desde < COUNT_STEP_MS
      ? [...recent.slice(0, -1), { ...last, respostas: last.respostas + 1 }]
      : [...recent, { desde: now, respostas: 1 }]
  return { ...memory, respostasEm: [...memory.respostasEm, now].slice(-LACO.respostasMaximo), semPessoa }
}
