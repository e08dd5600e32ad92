import { foldAccents } from '@balcao/contract/text/fold-accents'
import type { Aba } from '@balcao/contract/constants'

type ManualTag =
  | 'h2'
  | 'h3'
  | 'p'
  | 'ul'
  | 'ol'
  | 'li'
  | 'table'
  | 'thead'
  | 'tbody'
  | 'tr'
  | 'th'
  | 'td'
  | 'blockquote'
  | 'strong'
  | 'em'
  | 'code'

export type ManualNode =
  | string
  | { readonly t: ManualTag; readonly c: readonly ManualNode[]; readonly id?: string }
  | { readonly t: 'tema'; readonly c: readonly ManualNode[]; readonly para: string }
  | { readonly t: 'aba'; readonly c: readonly ManualNode[]; readonly para: Aba }
  | { readonly t: 'pagina'; readonly c: readonly ManualNode[]; readonly para: '/privacy' | '/terms' }

export interface Tema {
  readonly id: string
  readonly titulo: string
  readonly resumo: string
  readonly blocos: readonly ManualNode[]
  readonly texto: string
}

/** Lets `/ajuda/geral` open the page that explains the tab `geral`. */
const TEMA_OF_TAB: Readonly<Record<string, string>> = {
  geral: 'conectar-o-celular',
  mensagens: 'menu',
  ia: 'assistente-de-ia',
  pedidos: 'atendimento',
}

export function findTema(themes: readonly Tema[], requested: string): Tema | undefined {
  const id = TEMA_OF_TAB[requested] ?? requested
  return themes.find((tema) => tema.id === id)
}

export function headingsOf({ blocos }: Tema): { id: string; titulo: string }[] {
  return blocos.flatMap((block) =>
    typeof block === 'object' && block.t === 'h2' && block.id !== undefined
      ? [{ id: block.id, titulo: block.c.map((part) => (typeof part === 'string' ? part : '')).join('') }]
      : [],
  )
}

export interface TemaMatch {
  readonly tema: Tema
  readonly excerpt: string
}

const EXCERPT_RADIUS = 70

export function searchTemas(themes: readonly Tema[], search: string): readonly TemaMatch[] {
  const termos = foldAccents(search).split(/\s+/).filter(Boolean)
  const [first] = termos
  if (first === undefined) return []
  const noTitulo = (tema: Tema) => (foldAccents(tema.titulo).includes(first) ? 0 : 1)
  return themes
    .filter(({ titulo, resumo, texto }) => {
      const everything = foldAccents(`${titulo} ${resumo} ${texto}`)
      return termos.every((term) => everything.includes(term))
    })
    .toSorted((a, b) => noTitulo(a) - noTitulo(b))
    .map((tema) => ({ tema, excerpt: excerptOf(tema, first) }))
}

function excerptOf({ resumo, texto }: Tema, term: string): string {
  // Removing accents keeps the length only of NFC text. The manual's texts are NFC, so the offset fits `texto`.
  const where = foldAccents(texto.normalize('NFC')).indexOf(term)
  if (where < 0) return resumo
  const start = Math.max(0, texto.lastIndexOf(' ', Math.max(0, where - EXCERPT_RADIUS)) + 1)
  const fim = texto.indexOf(' ', where + EXCERPT_RADIUS)
  return `${start > 0 ? '… ' : ''}${texto.slice(start, fim < 0 ? undefined : fim)}${fim < 0 ? '' : ' …'}`
}
