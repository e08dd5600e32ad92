import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked, type Token, type Tokens } from 'marked'
import type { Plugin } from 'vite'

/** The owner's manual: `docs/manual/*.md` becomes a tree of known tags at build time, which React draws as elements (security D23). */

const PASTA = join(import.meta.dirname, '..', '..', '..', 'docs', 'manual')
const VIRTUAL = 'virtual:manual'
const RESOLVIDO = `\0${VIRTUAL}`

/** A piece of text, or a tag with what is inside it. `para` is where a link leads. */
type No = string | { readonly t: string; readonly c?: readonly No[]; readonly para?: string; readonly id?: string }

interface Tema {
  readonly id: string
  readonly titulo: string
  readonly resumo: string
  readonly blocos: readonly No[]
  /** All its words, for the search. */
  readonly texto: string
}

/** `03-menu.md` → `menu`. */
const idDe = (arquivo: string): string => arquivo.replace(/^\d+-|\.md$/g, '')

const ancora = (texto: string): string =>
  texto
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** A place of the manual, a tab of the panel, or a page of this site: the manual leads nowhere else. */
function link(href: string): { t: string; para: string } {
  const tema = /^(\d+-[\w-]+\.md)$/.exec(href)?.[1]
  if (tema !== undefined) return { t: 'tema', para: idDe(tema) }
  const aba = /^\/dashboard\?aba=(\w+)$/.exec(href)?.[1]
  if (aba !== undefined) return { t: 'aba', para: aba }
  if (href === '/privacy' || href === '/terms') return { t: 'pagina', para: href }
  throw new Error(`manual: a link to ${href} is not expected`)
}

const SIMPLES: Readonly<Record<string, string>> = {
  strong: 'strong',
  em: 'em',
  paragraph: 'p',
  blockquote: 'blockquote',
}

const eLista = (token: Token): token is Tokens.List => token.type === 'list'
const eTabela = (token: Token): token is Tokens.Table => token.type === 'table'
const eTitulo = (token: Token): token is Tokens.Heading => token.type === 'heading'
const eLink = (token: Token): token is Tokens.Link => token.type === 'link'

function tabela({ header, rows }: Tokens.Table): No {
  const line = (cells: readonly Tokens.TableCell[], t: string): No => ({
    t: 'tr',
    c: cells.map((celula) => ({ t, c: nos(celula.tokens) })),
  })
  return {
    t: 'table',
    c: [
      { t: 'thead', c: [line(header, 'th')] },
      { t: 'tbody', c: rows.map((cells) => line(cells, 'td')) },
    ],
  }
}

function texto(written: string): string {
  return written
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
}

function no(token: Token): No[] {
  if (token.type === 'space') return []
  if (eTitulo(token)) return [{ t: `h${token.depth}`, c: nos(token.tokens), id: ancora(token.text) }]
  if (eLista(token)) {
    return [{ t: token.ordered ? 'ol' : 'ul', c: token.items.map((item) => ({ t: 'li', c: nos(item.tokens) })) }]
  }
  if (eTabela(token)) return [tabela(token)]
  if (eLink(token)) return [{ ...link(token.href), c: nos(token.tokens) }]
  const children = 'tokens' in token && token.tokens !== undefined ? nos(token.tokens) : undefined
  const t = SIMPLES[token.type]
  if (t !== undefined) return [{ t, c: children ?? [] }]
  if (token.type === 'codespan') return [{ t: 'code', c: [texto(token.raw.replace(/^`|`$/g, ''))] }]
  if (token.type === 'text' || token.type === 'escape')
    return children ?? [texto('text' in token ? String(token.text) : token.raw)]
  throw new Error(`manual: ${token.type} is not expected: ${token.raw.slice(0, 60)}`)
}

const nos = (tokens: readonly Token[]): No[] => tokens.flatMap(no)

const words = (tree: readonly No[]): string =>
  tree.map((part) => (typeof part === 'string' ? part : `${words(part.c ?? [])} `)).join('')

function lerTema(arquivo: string): Tema {
  const [title, summary, ...blocos] = nos(marked.lexer(readFileSync(join(PASTA, arquivo), 'utf8')))
  if (typeof title !== 'object' || title.t !== 'h1' || typeof summary !== 'object' || summary.t !== 'p') {
    throw new Error(`manual: ${arquivo} begins with its title and one line about it`)
  }
  return {
    id: idDe(arquivo),
    titulo: words(title.c ?? []),
    resumo: words(summary.c ?? []),
    blocos,
    texto: words(blocos).replace(/\s+/g, ' ').trim(),
  }
}

function destinos(tree: readonly No[]): string[] {
  return tree.flatMap((part) =>
    typeof part === 'string' ? [] : [...(part.t === 'tema' ? [part.para ?? ''] : []), ...destinos(part.c ?? [])],
  )
}

/** Every page of the manual in order; fails when one leads to a page that does not exist. */
function lerManual(): Tema[] {
  const themes = readdirSync(PASTA)
    .filter((nome) => nome.endsWith('.md'))
    .toSorted()
    .map(lerTema)
  const ids = new Set(themes.map(({ id }) => id))
  for (const { id, blocos } of themes) {
    const lost = destinos(blocos).find((destination) => !ids.has(destination))
    if (lost !== undefined) throw new Error(`manual: ${id} leads to ${lost}, which does not exist`)
  }
  return themes
}

/** Gives the panel `virtual:manual`: the pages as data, nothing of the Markdown library. */
export function manual(): Plugin {
  return {
    name: 'balcao:manual',
    resolveId: (id) => (id === VIRTUAL ? RESOLVIDO : null),
    load(id) {
      if (id !== RESOLVIDO) return null
      for (const nome of readdirSync(PASTA)) this.addWatchFile(join(PASTA, nome))
      return `export const TEMAS = ${JSON.stringify(lerManual())}`
    },
  }
}
