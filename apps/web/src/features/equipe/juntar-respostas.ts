import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import { type Falta, type Faltas, limpa, type Rascunho, type RespostaEscrita } from './rascunho-de-respostas.ts'

/** Merge of local edits into a list that another user saved meanwhile. */

export interface Juntada {
  readonly rascunho: Rascunho
  readonly faltas: Faltas
}

interface Linha {
  readonly linha: RespostaEscrita
  readonly falta?: Falta
}

const MUDADA_LA = (texto: string): Falta => ({
  texto: `Outra pessoa mudou este texto para “${texto}”. Salve de novo para ficar com o seu.`,
})
const REMOVIDA_LA: Falta = { texto: 'Outra pessoa removeu esta resposta. Salve de novo para mantê-la.' }
const REMOVIDA_AQUI: Falta = {
  texto: 'Você removeu esta resposta, mas outra pessoa a mudou. Remova de novo, ou salve para mantê-la.',
}

/** Merges a line that existed in `base`. Null if both removed it. */
function juntarLinha(linha: RespostaEscrita, antes: RespostaRapida, dela: RespostaRapida | undefined): Linha | null {
  const { atalho, texto } = limpa(linha)
  const mudei = atalho !== antes.atalho || texto !== antes.texto
  if (dela === undefined) return mudei ? { linha: { ...linha, antes: null }, falta: REMOVIDA_LA } : null
  if (!mudei) return { linha: { ...linha, ...dela, antes: dela } }
  if (texto === antes.texto) return { linha: { ...linha, texto: dela.texto, antes: dela } }
  const junta = { linha: { ...linha, antes: dela } }
  return dela.texto === antes.texto || dela.texto === texto ? junta : { ...junta, falta: MUDADA_LA(dela.texto) }
}

/** A line only the server has: null if it was removed here and is unchanged there. */
function linhaDela(dela: RespostaRapida, antes: RespostaRapida | undefined): Linha | null {
  if (antes?.texto === dela.texto) return null
  const linha = { ...dela, chave: crypto.randomUUID(), antes: dela }
  return antes === undefined ? { linha } : { linha, falta: REMOVIDA_AQUI }
}

/** Inserts the lines that only `outra` has after the line that precedes them there. */
function intercalar(principal: readonly Linha[], outra: readonly Linha[]): readonly Linha[] {
  const chaveDe = (uma: Linha | undefined): string | undefined => uma?.linha.chave
  let todas = principal
  for (const [indice, uma] of outra.entries()) {
    if (todas.some((la) => chaveDe(la) === chaveDe(uma))) continue
    const anterior = chaveDe(outra[indice - 1])
    todas = todas.toSpliced(todas.findIndex((la) => chaveDe(la) === anterior) + 1, 0, uma)
  }
  return todas
}

function reordenado(rascunho: Rascunho, base: readonly RespostaRapida[]): boolean {
  const meus = rascunho.flatMap(({ antes }) => (antes === null ? [] : [antes.atalho]))
  const ordem = base.filter(({ atalho }) => meus.includes(atalho))
  return ordem.some(({ atalho }, i) => atalho !== meus[i])
}

/** Three-way merge of the draft, the list it started from, and the server's current list. */
export function juntarRespostas(
  rascunho: Rascunho,
  base: readonly RespostaRapida[],
  delas: readonly RespostaRapida[],
): Juntada {
  const dela = new Map(delas.map((uma) => [uma.atalho, uma]))
  const juntas = new Map<RespostaRapida, Linha>()
  const minhas: Linha[] = []
  for (const linha of rascunho) {
    const { antes } = linha
    const igual = antes === null ? dela.get(limpa(linha).atalho) : dela.get(antes.atalho)
    // Added by both: an equal text becomes one line. Different texts stay two lines, and the check rejects the
    // equal shortcut.
    const mesma = antes !== null || igual?.texto === limpa(linha).texto
    const nova: Linha | null =
      antes === null ? { linha: { ...linha, antes: mesma ? (igual ?? null) : null } } : juntarLinha(linha, antes, igual)
    if (nova !== null) minhas.push(nova)
    if (nova !== null && mesma && igual !== undefined) juntas.set(igual, nova)
  }
  const porAtalho = new Map(base.map((uma) => [uma.atalho, uma]))
  const todasDelas = delas.flatMap((uma) => juntas.get(uma) ?? linhaDela(uma, porAtalho.get(uma.atalho)) ?? [])
  const linhas = reordenado(rascunho, base) ? intercalar(minhas, todasDelas) : intercalar(todasDelas, minhas)
  const faltas = linhas.flatMap(({ linha, falta }) => (falta === undefined ? [] : [[linha.chave, falta] as const]))
  return { rascunho: linhas.map(({ linha }) => linha), faltas: Object.fromEntries(faltas) }
}
