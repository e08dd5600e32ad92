import { LACO } from '@balcao/contract/constants'
import type { Memoria } from '#state.ts'
import { dobrar } from './texto.ts'

/** The loop guard (decisions §3): two machines must not talk to each other for ever. */

/** The memory after one more text, and whether the bot must fall silent now. */
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

/** The same with one more automatic answer, however many messages it had. */
export function contarResposta<T extends Pick<Memoria, 'respostasEm'>>(memoria: T, agora: number): T {
  return { ...memoria, respostasEm: [...memoria.respostasEm, agora].slice(-LACO.respostasMaximo) }
}
