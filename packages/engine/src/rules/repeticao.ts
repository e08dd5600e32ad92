import { LACO } from '@balcao/contract/constants'
import type { Memoria } from '#state.ts'
import { dobrar } from './texto.ts'

/** Loop guard: ends a conversation between the bot and another machine. */

/** Adds a text to the memory. `emLaco` is true when the bot must stop answering. */
export function observarTexto(memoria: Memoria, texto: string, agora: number): { memoria: Memoria; emLaco: boolean } {
  const dobrado = dobrar(texto).slice(0, 200)
  const { repetido } = memoria
  const anteriores = repetido?.texto === dobrado ? repetido.instantes : []
  const instantes = [...anteriores.filter((instante) => agora - instante < LACO.repeticoesJanelaMs), agora]
  const respostasEm = memoria.respostasEm.filter((instante) => agora - instante < LACO.respostasJanelaMs)
  const emLaco =
    (dobrado !== '' && instantes.length >= LACO.repeticoesMaximo) || respostasEm.length >= LACO.respostasMaximo
  return {
    memoria: {
      ...memoria,
      repetido: { texto: dobrado, instantes: instantes.slice(-LACO.repeticoesMaximo) },
      respostasEm,
    },
    emLaco,
  }
}

/** Adds one automatic answer to the memory. */
export function contarResposta<T extends Pick<Memoria, 'respostasEm'>>(memoria: T, agora: number): T {
  return { ...memoria, respostasEm: [...memoria.respostasEm, agora].slice(-LACO.respostasMaximo) }
}
