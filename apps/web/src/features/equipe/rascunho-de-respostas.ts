import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import type { DetalheErro } from '@balcao/contract/errors'

/** A quick reply in the draft. It has a local key, because the shortcut changes while typing. */
export interface RespostaEscrita extends RespostaRapida {
  readonly chave: string
  /** The server's version at load. Null for a line added here. */
  readonly antes: RespostaRapida | null
}

export type Rascunho = readonly RespostaEscrita[]

export const RESPOSTAS_NO_MAXIMO = 100
export const TEXTO_NO_MAXIMO = 4096

export interface Falta {
  readonly atalho?: string
  readonly texto?: string
}
export type Faltas = Readonly<Record<string, Falta>>

/** Keeps the previous keys by position, so the focused field stays mounted. */
export function abrirRascunho(respostas: readonly RespostaRapida[], antes: Rascunho = []): Rascunho {
  return respostas.map((resposta, indice) => ({
    ...resposta,
    chave: antes[indice]?.chave ?? crypto.randomUUID(),
    antes: resposta,
  }))
}

export function limpa({ atalho, texto }: RespostaRapida): RespostaRapida {
  return { atalho: atalho.trim().toLowerCase(), texto: texto.trim() }
}

export function fecharRascunho(rascunho: Rascunho): RespostaRapida[] {
  return rascunho.map(limpa)
}

/** Keeps edits made during the save and rebases them on the stored lines. */
export function seguir(rascunho: Rascunho, salvo: Rascunho, salvas: readonly RespostaRapida[]): Rascunho {
  if (rascunho === salvo) return abrirRascunho(salvas, salvo)
  const guardadas = new Map(salvo.map(({ chave }, indice) => [chave, salvas[indice] ?? null]))
  return rascunho.map((uma) => ({ ...uma, antes: guardadas.get(uma.chave) ?? uma.antes }))
}

export function igualA(rascunho: Rascunho, respostas: readonly RespostaRapida[]): boolean {
  return (
    rascunho.length === respostas.length &&
    rascunho.every((uma, i) => uma.atalho === respostas[i]?.atalho && uma.texto === respostas[i].texto)
  )
}

/** Local validation. A duplicate shortcut is an error of the second line. */
export function conferirRespostas(rascunho: Rascunho): Faltas {
  const vistos = new Set<string>()
  const faltas: Record<string, Falta> = {}
  for (const { chave, atalho: escrito, texto } of rascunho) {
    const atalho = escrito.trim().toLowerCase()
    const falta = {
      ...faltaNoAtalho(atalho, vistos.has(atalho)),
      ...(texto.trim() === '' ? { texto: 'Escreva o texto' } : {}),
    }
    vistos.add(atalho)
    if (Object.keys(falta).length > 0) faltas[chave] = falta
  }
  return faltas
}

function faltaNoAtalho(atalho: string, repetido: boolean): Falta {
  if (atalho === '') return { atalho: 'Informe o atalho' }
  if (!/^[a-z0-9_-]{1,30}$/.test(atalho)) return { atalho: 'Use até 30 letras sem acento, números, - ou _' }
  return repetido ? { atalho: `O atalho /${atalho} já está em uso` } : {}
}

export function faltasDoServidor(rascunho: Rascunho, detalhes: readonly DetalheErro[]): Faltas {
  const faltas: Record<string, Falta> = {}
  for (const { caminho, mensagem } of detalhes) {
    const partes = /^respostas\.(\d+)\.(atalho|texto)$/.exec(caminho)
    const linha = rascunho[Number(partes?.[1])]
    if (linha === undefined) continue
    faltas[linha.chave] = { ...faltas[linha.chave], [partes?.[2] === 'texto' ? 'texto' : 'atalho']: mensagem }
  }
  return faltas
}

/** Moves a line up (-1) or down (1). At the ends it does nothing. */
export function mover(rascunho: Rascunho, chave: string, passo: -1 | 1): Rascunho {
  const de = rascunho.findIndex((uma) => uma.chave === chave)
  const movida = rascunho[de]
  if (movida === undefined) return rascunho
  return rascunho.toSpliced(de, 1).toSpliced(Math.max(0, de + passo), 0, movida)
}

export function devolver(rascunho: Rascunho, linha: RespostaEscrita, indice: number): Rascunho {
  return rascunho.some(({ chave }) => chave === linha.chave) ? rascunho : rascunho.toSpliced(indice, 0, linha)
}
