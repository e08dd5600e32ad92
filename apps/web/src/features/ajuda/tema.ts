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
}

export function findTema(temas: readonly Tema[], requested: string): Tema | undefined {
  const id = TEMA_OF_TAB[requested] ?? requested
  return temas.find((tema) => tema.id === id)
}

export function headingsOf({ blocos }: Tema): { id: string; titulo: string }[] {
  return blocos.flatMap((bloco) =>
    typeof bloco === 'object' && bloco.t === 'h2' && bloco.id !== undefined
      ? [{ id: bloco.id, titulo: bloco.c.map((parte) => (typeof parte === 'string' ? parte : '')).join('') }]
      : [],
  )
}

export interface TemaMatch {
  readonly tema: Tema
  readonly excerpt: string
}

const normalizeText = (texto: string): string => texto.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const EXCERPT_RADIUS = 70

/** Pages that contain every word, without accents and case. Title matches come first. */
export function searchTemas(temas: readonly Tema[], search: string): readonly TemaMatch[] {
  const termos = normalizeText(search).split(/\s+/).filter(Boolean)
  const [primeiro] = termos
  if (primeiro === undefined) return []
  const noTitulo = (tema: Tema) => (normalizeText(tema.titulo).includes(primeiro) ? 0 : 1)
  return temas
    .filter(({ titulo, resumo, texto }) => {
      const tudo = normalizeText(`${titulo} ${resumo} ${texto}`)
      return termos.every((termo) => tudo.includes(termo))
    })
    .toSorted((a, b) => noTitulo(a) - noTitulo(b))
    .map((tema) => ({ tema, excerpt: excerptOf(tema, primeiro) }))
}

function excerptOf({ resumo, texto }: Tema, termo: string): string {
  // Removing accents keeps the length only of NFC text. The manual's texts are NFC, so the offset fits `texto`.
  const onde = normalizeText(texto.normalize('NFC')).indexOf(termo)
  if (onde < 0) return resumo
  const inicio = Math.max(0, texto.lastIndexOf(' ', Math.max(0, onde - EXCERPT_RADIUS)) + 1)
  const fim = texto.indexOf(' ', onde + EXCERPT_RADIUS)
  return `${inicio > 0 ? '… ' : ''}${texto.slice(inicio, fim < 0 ? undefined : fim)}${fim < 0 ? '' : ' …'}`
}
