import type { Aba } from '@balcao/contract/constants'

type Tag =
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

export type No =
  | string
  | { readonly t: Tag; readonly c: readonly No[]; readonly id?: string }
  | { readonly t: 'tema'; readonly c: readonly No[]; readonly para: string }
  | { readonly t: 'aba'; readonly c: readonly No[]; readonly para: Aba }
  | { readonly t: 'pagina'; readonly c: readonly No[]; readonly para: '/privacy' | '/terms' }

export interface Tema {
  readonly id: string
  readonly titulo: string
  readonly resumo: string
  readonly blocos: readonly No[]
  readonly texto: string
}

/** Lets `/ajuda/geral` open the page that explains the tab `geral`. */
const TEMA_DA_ABA: Readonly<Record<string, string>> = {
  geral: 'conectar-o-celular',
  mensagens: 'menu',
  ia: 'assistente-de-ia',
}

export function acharTema(temas: readonly Tema[], pedido: string): Tema | undefined {
  const id = TEMA_DA_ABA[pedido] ?? pedido
  return temas.find((tema) => tema.id === id)
}

export function titulosDe({ blocos }: Tema): { id: string; titulo: string }[] {
  return blocos.flatMap((bloco) =>
    typeof bloco === 'object' && bloco.t === 'h2' && bloco.id !== undefined
      ? [{ id: bloco.id, titulo: bloco.c.map((parte) => (typeof parte === 'string' ? parte : '')).join('') }]
      : [],
  )
}

export interface Achado {
  readonly tema: Tema
  readonly trecho: string
}

const simples = (texto: string): string => texto.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const EM_VOLTA = 70

/** Pages that contain every word, without accents and case. Title matches come first. */
export function buscar(temas: readonly Tema[], busca: string): readonly Achado[] {
  const termos = simples(busca).split(/\s+/).filter(Boolean)
  const [primeiro] = termos
  if (primeiro === undefined) return []
  const noTitulo = (tema: Tema) => (simples(tema.titulo).includes(primeiro) ? 0 : 1)
  return temas
    .filter(({ titulo, resumo, texto }) => {
      const tudo = simples(`${titulo} ${resumo} ${texto}`)
      return termos.every((termo) => tudo.includes(termo))
    })
    .toSorted((a, b) => noTitulo(a) - noTitulo(b))
    .map((tema) => ({ tema, trecho: trechoDe(tema, primeiro) }))
}

function trechoDe({ resumo, texto }: Tema, termo: string): string {
  // Removing accents keeps the length only of NFC text. The manual's texts are NFC, so the offset fits `texto`.
  const onde = simples(texto.normalize('NFC')).indexOf(termo)
  if (onde < 0) return resumo
  const inicio = Math.max(0, texto.lastIndexOf(' ', Math.max(0, onde - EM_VOLTA)) + 1)
  const fim = texto.indexOf(' ', onde + EM_VOLTA)
  return `${inicio > 0 ? '… ' : ''}${texto.slice(inicio, fim < 0 ? undefined : fim)}${fim < 0 ? '' : ' …'}`
}
